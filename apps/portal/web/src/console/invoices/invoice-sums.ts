import type { InvoiceSummary } from '../../rest/answers.js';

/** Kinds of invoices that are never added up together. */
type Kind = 'issued' | 'held' | 'test' | 'held test';

interface KindSums {
  readonly kind: Kind;
  readonly currency: string;
  readonly count: number;
  readonly total: number;
  readonly due: number;
}

type Summed = Pick<InvoiceSummary, 'currency' | 'total' | 'state' | 'test'>;

/** Sums of invoices by kind and currency, in minor units. */
export function sumsOf(invoices: readonly Summed[]): readonly KindSums[] {
  const sums = new Map<string, KindSums>();
  for (const invoice of invoices) {
    const { currency, total, state } = invoice;
    const kind = kindOf(invoice);
    const key = `${kind} ${currency}`;
    const before = sums.get(key) ?? { kind, currency, count: 0, total: 0, due: 0 };
    sums.set(key, {
      ...before,
      count: before.count + 1,
      total: before.total + total,
      due: before.due + state.due,
    });
  }
  return [...sums.values()];
}

function kindOf({ state, test }: Summed): Kind {
  const isHeld = state.status === 'held';
  if (test) return isHeld ? 'held test' : 'test';
  return isHeld ? 'held' : 'issued';
}
