import { isMonthFault } from '#invoice-rules/invoice-lines.js';
import type { UsageSum } from '#invoice-rules/month-facts.js';
import type { MonthReading } from '#projections/invoices/closed-months.js';

/** Thrown if the calls of a month differ between the log, the rows of days and the close. */
export class MonthDiffersError extends Error {
  override readonly name = 'MonthDiffersError';
}

/** Whether nothing is to be issued until somebody has looked. */
export function isDifference(error: unknown): boolean {
  return error instanceof MonthDiffersError || isMonthFault(error);
}

/**
 * Holds the calls that an invoice is made of against the log itself, rule by rule, and against what
 * the closing event has recorded. `logUsage`: summed from the log. Throws MonthDiffersError.
 */
export function checkMonth(
  { close, facts: { usage } }: MonthReading,
  logUsage: readonly UsageSum[],
): void {
  const { month, calls, credits } = close;
  const found = textOf(usage);
  const logged = textOf(logUsage);
  if (found !== logged) {
    throw new MonthDiffersError(`${month}: the days hold ${found}, the log holds ${logged}.`);
  }
  const sums = { calls: sumOf(logUsage, 'calls'), credits: sumOf(logUsage, 'credits') };
  if (sums.calls === calls && sums.credits === credits) return;
  throw new MonthDiffersError(
    `${month}: the log holds ${sums.calls} calls for ${sums.credits} credits, the close says ` +
      `${calls} for ${credits}.`,
  );
}

function sumOf(usage: readonly UsageSum[], member: 'calls' | 'credits'): number {
  return usage.reduce((sum, each) => sum + each[member], 0);
}

function textOf(usage: readonly UsageSum[]): string {
  const texts = usage.map(
    ({ rule, kind, calls, credits }) => `${rule} ${kind} ${calls} ${credits}`,
  );
  return JSON.stringify(texts.toSorted());
}
