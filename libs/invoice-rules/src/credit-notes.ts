import type { CreditedLine } from '#account/billing-events.js';
import type { OverageLine, Settlement } from './invoice.js';
import type { InvoiceAccount } from './invoice-account.js';
import { moneyText, priceOf, sumOf } from './money.js';
import { taxOn } from './tax.js';

/** Of one line either an amount, net, or credits of the overage. */
export type LineCredit =
  | { readonly line: number; readonly amount: number }
  | { readonly line: number; readonly credits: number };

/** A call and the part of its charge that no grant covered. */
export interface CallCredit {
  readonly callId: string;
  readonly credits: number;
}

/** The part of an invoice to credit: all that is left (also its voiding), lines or calls. */
export type CreditRequest =
  | { readonly scope: 'whole' }
  | { readonly scope: 'lines'; readonly lines: readonly LineCredit[] }
  | { readonly scope: 'calls'; readonly calls: readonly CallCredit[] };

export interface CreditRefusal {
  readonly reason:
    | 'nothing-left'
    | 'line-unknown'
    | 'line-twice'
    | 'amount-out-of-range'
    | 'credits-out-of-range'
    | 'line-without-credits'
    | 'call-credited'
    | 'call-not-billed';
  /** Of the line or call in the request that it is about; null: the whole. */
  readonly index: number | null;
  readonly detail: string;
}

/** Amounts are above zero, net by line. */
export interface CreditedAmounts {
  readonly outcome: 'credited';
  readonly lines: readonly CreditedLine[];
  readonly net: number;
  readonly tax: number;
  readonly total: number;
  readonly settlement: Settlement;
  /** Of what was written off, the part that it takes back. */
  readonly unwritten: number;
  /** Tax that was credited before. */
  readonly taxBefore: number;
}

export type CreditDecision =
  CreditedAmounts | { readonly outcome: 'refused'; readonly refusals: readonly CreditRefusal[] };

const NOTHING_LEFT: CreditRefusal = {
  reason: 'nothing-left',
  index: null,
  detail: 'Nothing is left of the invoice that could be credited.',
};

function overageOf({ invoice }: InvoiceAccount): OverageLine | undefined {
  return invoice.lines.find((line) => line.type === 'overage');
}

function refuseLine(
  account: InvoiceAccount,
  request: LineCredit,
): Omit<CreditRefusal, 'index'> | null {
  const line = account.invoice.lines.find(({ n }) => n === request.line);
  const left = account.left.get(request.line);
  if (line === undefined || left === undefined) {
    return { reason: 'line-unknown', detail: `The invoice has no line ${request.line}.` };
  }
  if ('amount' in request) {
    const { amount } = request;
    if (Number.isSafeInteger(amount) && amount >= 1 && amount <= left) return null;
    const most = moneyText(left, account.invoice.currency);
    const what = left > 0 ? `At most ${most} of line ${line.n}` : `Nothing of line ${line.n}`;
    const detail = `${what} can be credited.`;
    return { reason: 'amount-out-of-range', detail };
  }
  if (line.type !== 'overage') {
    const overage = overageOf(account);
    const where = overage === undefined ? '' : ` What calls cost stands in line ${overage.n}.`;
    return { reason: 'line-without-credits', detail: `Line ${line.n} bills no credits.${where}` };
  }
  const { credits } = request;
  const isInRange = credits >= 1 && credits <= line.billed_credits;
  if (Number.isSafeInteger(credits) && isInRange) return null;
  const detail = `Line ${line.n} bills ${line.billed_credits} credits.`;
  return { reason: 'credits-out-of-range', detail };
}

function refuseLines(account: InvoiceAccount, lines: readonly LineCredit[]): CreditRefusal[] {
  return lines.flatMap((request, index): CreditRefusal[] => {
    if (lines.findIndex(({ line }) => line === request.line) < index) {
      return [{ reason: 'line-twice', index, detail: `Line ${request.line} is named twice.` }];
    }
    const refusal = refuseLine(account, request);
    return refusal === null ? [] : [{ ...refusal, index }];
  });
}

function refuseCalls(account: InvoiceAccount, calls: readonly CallCredit[]): CreditRefusal[] {
  const isBilled = overageOf(account) !== undefined;
  return calls.flatMap(({ callId, credits }, index): CreditRefusal[] => {
    if (!isBilled || credits === 0) {
      const detail = 'The call was paid for with credits, and not billed. Give it back instead.';
      return [{ reason: 'call-not-billed', index, detail }];
    }
    const isTwice = calls.findIndex((call) => call.callId === callId) < index;
    if (!isTwice && !account.creditedCalls.has(callId)) return [];
    const detail = `Call ${callId} is credited ${isTwice ? 'twice here: name it once' : 'already: leave it out'}.`;
    return [{ reason: 'call-credited', index, detail }];
  });
}

function creditedLine(account: InvoiceAccount, request: LineCredit): CreditedLine {
  const left = account.left.get(request.line) ?? 0;
  if ('amount' in request) return [request.line, request.amount];
  const price = overageOf(account)?.price_per_1000_credits ?? 0;
  return [request.line, Math.min(left, priceOf(request.credits, price))];
}

/** The shares of calls add up to the price of their credits together, which is rounded once. */
function creditedCalls(account: InvoiceAccount, calls: readonly CallCredit[]): CreditedLine[] {
  const overage = overageOf(account);
  if (overage === undefined) return [];
  const left = account.left.get(overage.n) ?? 0;
  let credits = 0;
  let before = 0;
  return calls.map((call) => {
    credits += call.credits;
    const after = Math.min(left, priceOf(credits, overage.price_per_1000_credits));
    const amount = after - before;
    before = after;
    return [overage.n, amount, call.callId];
  });
}

function linesOf(account: InvoiceAccount, request: CreditRequest): readonly CreditedLine[] {
  if (request.scope === 'calls') return creditedCalls(account, request.calls);
  const lines =
    request.scope === 'lines'
      ? request.lines.map((line) => creditedLine(account, line))
      : [...account.left];
  return lines.filter(([, amount]) => amount > 0);
}

function refusalsOf(account: InvoiceAccount, request: CreditRequest): CreditRefusal[] {
  if (request.scope === 'lines') return refuseLines(account, request.lines);
  return request.scope === 'calls' ? refuseCalls(account, request.calls) : [];
}

/** The use of what was paid of a credited invoice. */
export type SettleBy = 'refund' | 'credit_balance';

/**
 * The lines and tax of a credit note: never more than is left of the invoice, and a call once.
 * Credits and calls have their price in the overage, or what is left of that. The tax is the growth
 * of the tax on everything that is credited, so that parts add up to the invoice's tax. What is not
 * paid yet is set off, the rest refunded or kept as credit balance. All faults of a request are
 * reported at once.
 */
export function decideCredit(
  account: InvoiceAccount,
  request: CreditRequest,
  settleBy: SettleBy = 'refund',
): CreditDecision {
  const refusals = refusalsOf(account, request);
  if (refusals.length > 0) return { outcome: 'refused', refusals };
  const lines = linesOf(account, request);
  const net = sumOf(
    lines.map(([, amount]) => amount),
    'What is credited',
  );
  if (net === 0) return { outcome: 'refused', refusals: [NOTHING_LEFT] };
  const rate = account.invoice.tax_breakdown[0]?.rate_percent ?? 0;
  const tax = taxOn(account.creditedNet + net, rate) - account.creditedTax;
  const total = sumOf([net, tax], 'The credit');
  const setOff = Math.min(total, Math.max(0, account.due));
  const unwritten = Math.min(total - setOff, Math.max(0, account.writtenOff));
  const rest = total - setOff - unwritten;
  const kept = settleBy === 'refund' ? 0 : rest;
  const settlement = {
    set_off: setOff + unwritten,
    refund: rest - kept,
    ...(kept > 0 && { credit_balance: kept }),
  };
  const { creditedTax: taxBefore } = account;
  return { outcome: 'credited', lines, net, tax, total, settlement, unwritten, taxBefore };
}
