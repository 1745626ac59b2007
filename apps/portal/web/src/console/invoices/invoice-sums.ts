import type { InvoiceSummary } from '../../rest/answers.js';

interface CurrencySums {
  readonly currency: string;
  readonly count: number;
  readonly total: number;
  readonly due: number;
}

/** Sums of invoices by currency, in minor units. */
export function sumsOf(
  invoices: readonly Pick<InvoiceSummary, 'currency' | 'total' | 'state'>[],
): readonly CurrencySums[] {
  const sums = new Map<string, CurrencySums>();
  for (const { currency, total, state } of invoices) {
    const before = sums.get(currency) ?? { currency, count: 0, total: 0, due: 0 };
    sums.set(currency, {
      currency,
      count: before.count + 1,
      total: before.total + total,
      due: before.due + state.due,
    });
  }
  return [...sums.values()];
}
