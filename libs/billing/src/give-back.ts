import { decideCredit, type Credited } from './credit-notes.js';
import type { InvoiceAccount } from './invoice-account.js';

/** A call of an invoiced month, in credits. */
export interface GivenBackCall {
  readonly callId: string;
  readonly charged: number;
  /** The part that no grant covered: a debt, of which the month's overage bills what was left. */
  readonly uncovered: number;
}

/** The instruments that give a call back: together they come to its charge. */
export interface GiveBack {
  /** Null where nothing of it was billed, or nothing of that is left. */
  readonly note: Credited | null;
  /** Credits that an adjustment gives back: 0 where the note takes back all of it. */
  readonly adjusted: number;
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

/**
 * Divides the charge of a call of an invoiced month: the part that was billed is credited, at most
 * as much as is left of the overage, and the rest is given back as credits. A part without a price
 * of its own is credits, too.
 */
export function divideGiveBack(account: InvoiceAccount, call: GivenBackCall): GiveBack {
  const { callId, charged, uncovered } = call;
  const credits = Math.min(uncovered, overageLeft(account));
  const whole: GiveBack = { note: null, adjusted: charged };
  if (credits === 0) return whole;
  const note = decideCredit(account, { scope: 'calls', calls: [{ callId, credits }] });
  return note.outcome === 'credited' ? { note, adjusted: charged - credits } : whole;
}
