import type { Invoice } from './invoice.js';

/**
 * Numbers of an invoice's lines that have no cost of their own, because it is that of the calls
 * which they pay for: purchases; and the overage, but of a month without calls, where it bills a
 * debt of an earlier one. FOCUS: their `EffectiveCost` is 0.
 */
export function linesOfUsage({ lines }: Pick<Invoice, 'lines'>): number[] {
  const isUsed = lines.some((line) => line.type === 'usage' && line.credits > 0);
  return lines.flatMap(({ type, n }) =>
    type === 'purchase' || (type === 'overage' && isUsed) ? [n] : [],
  );
}
