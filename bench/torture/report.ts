import type { Journal } from './journal.js';

export interface RunFacts {
  readonly seed: number;
  readonly minutes: number;
  readonly faults: ReadonlyMap<string, number>;
  readonly events: number;
}

interface Row {
  readonly what: string;
  readonly times: number;
}

/** The whole run as data; also the source of the text. */
export interface Report {
  readonly seed: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly calls: number;
  readonly attempts: number;
  readonly changes: number;
  readonly events_in_log: number;
  readonly answers: readonly Row[];
  readonly faults: readonly Row[];
  readonly measured: readonly {
    readonly what: string;
    readonly times: number;
    readonly mean_ms: number;
    readonly worst_ms: number;
  }[];
  readonly slowest: Journal['slowest'];
  readonly violations_total: number;
  readonly violations: Journal['violations'];
}

function rows(counts: ReadonlyMap<string, number>): Row[] {
  return [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([what, times]) => ({ what, times }));
}

export function reportOf(journal: Journal, facts: RunFacts): Report {
  return {
    seed: facts.seed,
    minutes: facts.minutes,
    seconds: Math.round(journal.second),
    calls: journal.calls.length,
    attempts: journal.calls.reduce((sum, { attempts }) => sum + attempts.length, 0),
    changes: journal.changes.length,
    events_in_log: facts.events,
    answers: rows(journal.counts),
    faults: rows(facts.faults),
    measured: [...journal.measures].map(([what, { worst, sum, times }]) => ({
      what,
      times,
      mean_ms: Math.round(sum / times),
      worst_ms: Math.round(worst),
    })),
    slowest: journal.slowest,
    violations_total: journal.violationsTotal,
    violations: journal.violations,
  };
}

function table(title: string, list: readonly Row[]): string {
  const lines = list.map(({ what, times }) => `| ${what} | ${times} |`);
  return [`## ${title}`, '', '| what | times |', '| --- | ---: |', ...lines, ''].join('\n');
}

/** The report as Markdown. */
export function reportText(report: Report): string {
  const verdict =
    report.violations_total === 0
      ? 'Every rule held.'
      : `${report.violations_total} violations: the run FAILED.`;
  const measured = report.measured.map(
    ({ what, times, mean_ms: mean, worst_ms: worst }) =>
      `| ${what} | ${times} | ${mean} | ${worst} |`,
  );
  const violations = report.violations.map(
    ({ rule, what, evidence, second }) =>
      `### ${rule} (second ${second})\n\n${what}\n\n\`\`\`\n${evidence}\n\`\`\`\n`,
  );
  return [
    '# Torture report',
    '',
    `Seed ${report.seed}, ${report.minutes} minutes asked for, ${report.seconds} s with set-up and`,
    `audit; ${report.calls} calls in ${report.attempts} attempts, ${report.changes} changes by the`,
    `operator, ${report.events_in_log} events in the log. ${verdict}`,
    '',
    table('Faults', report.faults),
    table('Answers and what was counted', report.answers),
    '## Measured',
    '',
    '| what | times | mean ms | worst ms |',
    '| --- | ---: | ---: | ---: |',
    ...measured,
    '',
    'The longest waits for an answer:',
    '',
    ...report.slowest.map(({ ms, what, second }) => `- ${ms} ms, second ${second}: ${what}`),
    '',
    ...(violations.length > 0 ? ['## Violations', '', ...violations] : []),
  ].join('\n');
}
