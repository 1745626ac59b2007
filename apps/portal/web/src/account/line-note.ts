import type { InvoiceLine } from '#billing/invoice.js';

/** Words about a line: an adjustment counts as far as it paid for calls of its month. */
export function lineNote(line: InvoiceLine): string | undefined {
  const isUnused = line.type === 'adjustment' && line.credits === 0;
  return isUnused ? 'not used in this month' : undefined;
}
