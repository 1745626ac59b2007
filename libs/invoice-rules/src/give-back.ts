import { decideCredit, type CreditedAmounts } from './credit-notes.js';
import type { InvoiceAccount } from './invoice-account.js';

/** A call of an invoiced month, in credits. */
export interface GivenBackCall {
  readonly callId: string;
  readonly charged: number;
  /** The part that no grant covered: a debt, of which the month's overage bills what was left. */
  readonly uncovered: number;
}

const CREDITS_PER_PRICE = 1_000n;

/** Credits of the overage that no credit note has taken back yet. */
function overageLeft({ invoice, left }: InvoiceAccount): number {
  const overage = invoice.lines.find((line) => line.type === 'overage');
  if (overage === undefined) return 0;
  const { n, amount, billed_credits: billed, price_per_1000_credits: price } = overage;
  const rest = left.get(n) ?? 0;
  if (rest === amount) return billed;
  return Math.min(billed, Number((BigInt(rest) * CREDITS_PER_PRICE) / BigInt(price)));
}

/** Calls of one invoiced month that are given back together. */
export interface GivenBack {
  /** Null where nothing of them was billed, or nothing of that is left. */
  readonly note: CreditedAmounts | null;
  /** Credits that an adjustment gives back, by call. */
  readonly adjusted: ReadonlyMap<string, number>;
}

/**
 * Divides the charges of calls of an invoiced month, one after the other: the part that was billed
 * is credited, at most as much as is left of the overage, and the rest is given back as credits. A
 * part without a price of its own is credits, too.
 */
export function divideGiveBacks(
  account: InvoiceAccount,
  calls: readonly GivenBackCall[],
): GivenBack {
  const charges = new Map(calls.map(({ callId, charged }) => [callId, charged]));
  const whole: GivenBack = { note: null, adjusted: charges };
  let left = overageLeft(account);
  const billed = calls.flatMap(({ callId, uncovered }) => {
    const credits = Math.min(uncovered, left);
    left -= credits;
    return credits > 0 ? [{ callId, credits }] : [];
  });
  if (billed.length === 0) return whole;
  const note = decideCredit(account, { scope: 'calls', calls: billed });
  if (note.outcome !== 'credited') return whole;
  const adjusted = new Map(charges);
  for (const { callId, credits } of billed) {
    adjusted.set(callId, (charges.get(callId) ?? 0) - credits);
  }
  return { note, adjusted };
}
