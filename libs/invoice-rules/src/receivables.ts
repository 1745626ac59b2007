import type { AppliedAmount } from '#account/billing-events.js';
import { moneyText, sumOf } from './money.js';

/** An issued invoice with what is due of it; below zero it is to be paid back. */
export interface OpenItem {
  readonly id: string;
  readonly number: string;
  readonly due: number;
}

/** Debts of a customer, and to it, in minor units. */
export interface Receivables {
  /** Issued invoices, the one that is due first before the others. */
  readonly items: readonly OpenItem[];
  /** Money of the customer that no invoice has got yet. */
  readonly balance: number;
  readonly currency: string;
}

/** Money that comes in, or goes out, and what of it is set against invoices. */
export interface Allocated {
  readonly outcome: 'allocated';
  readonly applied: readonly AppliedAmount[];
}

export interface ReceivableRefusal {
  readonly outcome: 'refused';
  readonly reason: 'invoice-unknown' | 'invoice-twice' | 'amount-out-of-range';
  /** Of the member of `apply` that it is about; null: the whole. */
  readonly index: number | null;
  readonly detail: string;
}

export type Allocation = Allocated | ReceivableRefusal;

/** A part of a payment for an invoice by its number. */
export interface ApplyTo {
  readonly number: string;
  readonly amount: number;
}

/**
 * A payment that is set against the invoices that it names, or against those that are due, oldest
 * first. The credit balance is used with it; what is left of both is the new one.
 */
export function allocatePayment(
  { items, balance, currency }: Receivables,
  amount: number,
  apply?: readonly ApplyTo[],
): Allocation {
  const available = sumOf([amount, balance], 'What can be applied');
  if (apply === undefined) return { outcome: 'allocated', applied: spread(items, available) };
  for (const [index, named] of apply.entries()) {
    const refusal = refuseApply(items, apply, named, index, currency);
    if (refusal !== null) return { outcome: 'refused', index, ...refusal };
  }
  const asked = sumOf(
    apply.map((one) => one.amount),
    'What is applied',
  );
  if (asked > available) {
    const [most, own] = [available, balance].map((sum) => moneyText(sum, currency));
    const detail = `With the credit balance of ${own}, at most ${most} can be applied.`;
    return { outcome: 'refused', reason: 'amount-out-of-range', index: null, detail };
  }
  const ids = new Map(items.map(({ number, id }) => [number, id]));
  const applied = apply.map((one) => [ids.get(one.number) ?? '', one.amount] as const);
  return { outcome: 'allocated', applied };
}

function refuseApply(
  items: readonly OpenItem[],
  apply: readonly ApplyTo[],
  { number, amount }: ApplyTo,
  index: number,
  currency: string,
): Pick<ReceivableRefusal, 'reason' | 'detail'> | null {
  const item = items.find((one) => one.number === number);
  if (item === undefined) {
    return { reason: 'invoice-unknown', detail: `The account has no invoice ${number}.` };
  }
  if (apply.findIndex((one) => one.number === number) < index) {
    return { reason: 'invoice-twice', detail: `Invoice ${number} is named twice.` };
  }
  if (amount >= 1 && amount <= item.due) return null;
  const due = Math.max(0, item.due);
  const detail =
    due === 0
      ? `Nothing of ${number} is due.`
      : `At most ${moneyText(due, currency)} of ${number} is due.`;
  return { reason: 'amount-out-of-range', detail };
}

/** Pays what is due in the order of the items, as far as an amount goes. */
function spread(items: readonly OpenItem[], available: number): AppliedAmount[] {
  let left = available;
  return items.flatMap(({ id, due }): AppliedAmount[] => {
    const part = Math.min(left, Math.max(0, due));
    left -= part;
    return part > 0 ? [[id, part]] : [];
  });
}

/** Most that can be paid back: of invoices that were overpaid, and the credit balance. */
export function refundable({ items, balance }: Omit<Receivables, 'currency'>): number {
  return sumOf([...items.map(({ due }) => Math.max(0, -due)), balance], 'What can be refunded');
}

/** A refund: of invoices that were overpaid first, then of the credit balance. */
export function allocateRefund(receivables: Receivables, amount: number): Allocation {
  const most = refundable(receivables);
  if (amount >= 1 && amount <= most) {
    const overpaid = receivables.items.map((item) => ({ ...item, due: -item.due }));
    return { outcome: 'allocated', applied: spread(overpaid, amount) };
  }
  const detail =
    most === 0
      ? 'Nothing is to be paid back.'
      : `At most ${moneyText(most, receivables.currency)} can be paid back.`;
  return { outcome: 'refused', reason: 'amount-out-of-range', index: null, detail };
}
