import type { CheckResult } from '#projections/verify/findings.js';
import type { VerifyReport } from '#projections/lane-threads/verify-log.js';

const NUMBERS = new Intl.NumberFormat('en');

function checkLines({ rule, differences, first }: CheckResult): string[] {
  if (first === null) return [`ok    ${rule}`];
  const { table, key, expected, found } = first;
  const rows = differences === 1 ? 'one row differs' : `${NUMBERS.format(differences)} rows differ`;
  return [
    `WRONG ${rule}: ${rows}, the first in ${table}, ${key}`,
    `        expected: ${JSON.stringify(expected)}`,
    `        found:    ${JSON.stringify(found)}`,
  ];
}

/** The findings of a verification, for a person. Pure. */
export function verifyReport(report: VerifyReport): string {
  const { intact, lanes, events, seconds, checks, notCovered } = report;
  const speed = NUMBERS.format(Math.round(events / Math.max(seconds, 0.001)));
  const walked =
    `${NUMBERS.format(events)} events in ${lanes} ${lanes === 1 ? 'lane' : 'lanes'}, ` +
    `${seconds.toFixed(2)} s, ${speed} a second.`;
  const verdict = intact ? 'The log and all that is made from it belong together.' : 'DAMAGED.';
  const left = notCovered.map((sentence) => `note  ${sentence}`);
  return [...checks.flatMap(checkLines), ...left, `${verdict} ${walked}`].join('\n');
}
