import type { Finding, FuzzReport } from './fuzz.js';

const FINDINGS_SHOWN = 25;
const BYTES_SHOWN = 4_000;

/** The result of a run, for a person: the figures, then each finding with its bytes. */
export function reportText(report: FuzzReport, seed: number): string {
  const { requests, exchanges, seconds, calls, credits, memoryMib, slowestMs } = report;
  const lines = [
    `${requests} requests in ${exchanges} connections, ${seconds.toFixed(1)} s, seed ${seed}`,
    `${calls} calls charged with ${credits} credits; slowest exchange ${Math.round(slowestMs)} ms`,
    `resident memory, MiB: ${memoryMib.join(' ')}`,
    counted(report.statuses),
    counted(report.kinds),
    ...grouped(report.findings).map(([fault, findings]) => findingText(fault, findings, seed)),
    ...report.faults.map((fault) => `FAULT ${fault}`),
  ];
  const count = report.findings.length + report.faults.length;
  return [...lines, count === 0 ? 'Nothing found.' : `${count} findings.`, ''].join('\n');
}

function counted(counts: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(counts).toSorted(([one], [two]) => (one < two ? -1 : 1));
  return sorted.map(([name, times]) => `${name}: ${times}`).join(', ');
}

/** Findings by their first fault, ids and numbers left out. */
function grouped(findings: readonly Finding[]): [string, Finding[]][] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const fault = (finding.faults[0] ?? '').replaceAll(/[0-9a-f-]{36}|\d+ ms/g, '…');
    groups.set(fault, [...(groups.get(fault) ?? []), finding]);
  }
  return [...groups].slice(0, FINDINGS_SHOWN);
}

function findingText(fault: string, findings: readonly Finding[], seed: number): string {
  const [first] = findings;
  if (first === undefined) return fault;
  const { plan, transcript, faults } = first;
  const sent = Buffer.concat(plan.parts);
  const answers = transcript.answers.map(
    ({ status, body }) => `${status} ${body.toString('utf8', 0, 600)}`,
  );
  return [
    `FOUND ${findings.length} ×: ${fault}`,
    `  exchange ${plan.index} of seed ${seed}, ${plan.port}, ${plan.kind}, ${transcript.end}`,
    `  also: ${
      findings
        .slice(1, 20)
        .map((one) => one.plan.index)
        .join(', ') || 'none'
    }`,
    ...faults.slice(0, 6).map((one) => `  - ${one}`),
    `  sent (${sent.length} bytes in ${plan.parts.length} parts): ${shown(sent)}`,
    ...answers.map((answer) => `  answered: ${answer}`),
    ...(transcript.rest.length > 0 ? [restText(transcript.rest)] : []),
  ].join('\n');
}

function restText(rest: Buffer): string {
  return `  and ${rest.length} bytes: ${JSON.stringify(rest.toString('latin1', 0, 300))}`;
}

/** Bytes as a JavaScript text of Latin-1, so that they can be sent again. */
function shown(bytes: Buffer): string {
  const text = JSON.stringify(bytes.toString('latin1', 0, BYTES_SHOWN));
  return bytes.length > BYTES_SHOWN ? `${text} …` : text;
}
