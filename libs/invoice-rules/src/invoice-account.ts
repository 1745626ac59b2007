import {
  appliedAmounts,
  type BillingEntry,
  type CreditedLine,
  writtenOff as writtenOffBy,
} from '#account/billing-events.js';
import type { Invoice, InvoiceState, InvoiceStatus } from './invoice.js';
import { moneyText, sumOf } from './money.js';

/** Reminders of an invoice so far. */
export interface Reminded {
  /** Days after the due date of the last reminder; 0: there was none. */
  readonly days: number;
  /** Stopped by hand. */
  readonly isStopped: boolean;
}

/** As much of an issued invoice as decisions about it need. */
export type IssuedInvoice = Pick<
  Invoice,
  'id' | 'currency' | 'lines' | 'net' | 'tax_breakdown' | 'tax' | 'total' | 'due_date'
>;

/** Credits and payments of an invoice, in minor units of its currency. */
export interface InvoiceAccount {
  readonly invoice: IssuedInvoice;
  /** The uncredited rest of each line, net, by the line's number. */
  readonly left: ReadonlyMap<number, number>;
  readonly creditedCalls: ReadonlySet<string>;
  readonly creditedNet: number;
  readonly creditedTax: number;
  readonly paid: number;
  readonly writtenOff: number;
  /** Total − credited − paid − written off; below zero it is to be paid back. */
  readonly due: number;
  readonly wasOverdueReported: boolean;
  readonly reminded: Reminded;
}

/** Sums of what is credited, net, by the line's number. */
export function creditedOf(lines: readonly CreditedLine[]): Map<number, number> {
  const credited = new Map<number, number>();
  for (const [line, amount] of lines) credited.set(line, (credited.get(line) ?? 0) + amount);
  return credited;
}

/**
 * The account of an invoice: what is left of it after its credit notes and payments, in the order
 * in which they were recorded. Records of other invoices are passed over, but for credited calls.
 */
export function invoiceAccount(
  invoice: IssuedInvoice,
  records: readonly BillingEntry[],
): InvoiceAccount {
  const own = records.filter(({ data }) => 'invoice_id' in data && data.invoice_id === invoice.id);
  const notes = own.flatMap(({ type, data }) => (type === 'CreditNoteSealed' ? [data] : []));
  const credited = creditedOf(notes.flatMap(({ lines }) => lines));
  const creditedNet = sumOf(
    notes.map(({ net }) => net),
    'What is credited',
  );
  const creditedTax = sumOf(
    notes.map(({ tax }) => tax),
    'The tax that is credited',
  );
  const applied = records.flatMap(appliedAmounts).filter(([id]) => id === invoice.id);
  const paid = sumOf(
    applied.map(([, amount]) => amount),
    'What is paid',
  );
  const writtenOff = sumOf(
    own.map((entry) => writtenOffBy(entry)?.[1] ?? 0),
    'What is written off',
  );
  // Also where a call was credited on an invoice that this one takes the place of.
  const calls = records.flatMap(({ type, data }) =>
    type === 'CreditNoteSealed' ? data.lines.flatMap(([, , callId]) => callId ?? []) : [],
  );
  return {
    invoice,
    left: new Map(invoice.lines.map(({ n, amount }) => [n, amount - (credited.get(n) ?? 0)])),
    creditedCalls: new Set(calls),
    creditedNet,
    creditedTax,
    paid,
    writtenOff,
    due: sumOf([invoice.total, -creditedNet, -creditedTax, -paid, -writtenOff], 'What is due'),
    wasOverdueReported: own.some(({ type }) => type === 'InvoiceOverdue'),
    reminded: remindedOf(own),
  };
}

function remindedOf(own: readonly BillingEntry[]): Reminded {
  const days = own.flatMap(({ type, data }) => (type === 'ReminderDue' ? [data.days] : []));
  const set = own.findLast(({ type }) => type === 'RemindersSet');
  const isStopped = set?.type === 'RemindersSet' && set.data.stopped;
  return { days: Math.max(0, ...days), isStopped };
}

/** Whether an invoice is overdue on a local date: the day after the due date has begun. */
function isOverdue({ due, invoice }: InvoiceAccount, today: string): boolean {
  return due > 0 && today > invoice.due_date;
}

function statusOf(account: InvoiceAccount, today: string): InvoiceStatus {
  const { invoice, creditedNet, creditedTax, paid, writtenOff, due } = account;
  if (invoice.total > 0 && creditedNet + creditedTax === invoice.total) return 'credited';
  if (due <= 0 && writtenOff > 0) return 'written_off';
  if (due <= 0) return 'paid';
  if (isOverdue(account, today)) return 'overdue';
  return paid > 0 ? 'partly_paid' : 'issued';
}

/** The state that is served beside an invoice (contract 6), on a local date `2026-11-16`. */
export function stateOf(account: InvoiceAccount, today: string): InvoiceState {
  const { creditedNet, creditedTax, paid, writtenOff, due } = account;
  const status = statusOf(account, today);
  const written = writtenOff === 0 ? {} : { written_off: writtenOff };
  return { status, paid, credited: creditedNet + creditedTax, ...written, due };
}

/** The amount to report as overdue on a local date; null: none, or it was reported before. */
export function overdueAmount(account: InvoiceAccount, today: string): number | null {
  return isOverdue(account, today) && !account.wasOverdueReported ? account.due : null;
}

export type PaymentRefusal = {
  readonly reason: 'amount-out-of-range';
  readonly due: number;
  readonly detail: string;
};

const OVERPAID =
  'A payment of the account takes more: what no invoice needs is its credit balance.';

/**
 * Whether a payment fits: above zero it pays at most what is due; below zero it takes back, or pays
 * back, at most what was paid. Null: it fits.
 */
export function refusePayment(account: InvoiceAccount, amount: number): PaymentRefusal | null {
  const { due, paid, invoice } = account;
  const [least, most] = [-paid, Math.max(0, due)];
  const isInRange = amount >= least && amount <= most && amount !== 0;
  if (Number.isSafeInteger(amount) && isInRange) return null;
  const money = (minor: number) => moneyText(minor, invoice.currency);
  const paying = most === 0 ? 'Nothing is due' : `At most ${money(most)} is due`;
  const taking = paid === 0 ? 'nothing was paid' : `at most ${money(paid)} can be taken back`;
  const more = amount > most ? ` ${OVERPAID}` : '';
  return { reason: 'amount-out-of-range', due, detail: `${paying}, and ${taking}.${more}` };
}

/** Whether a write-off fits: at most what is due; below zero at most what was written off. */
export function refuseWriteOff(account: InvoiceAccount, amount: number): PaymentRefusal | null {
  const { due, writtenOff, invoice } = account;
  if (amount !== 0 && amount >= -writtenOff && amount <= Math.max(0, due)) return null;
  const [most, written] = [Math.max(0, due), writtenOff].map((minor) =>
    moneyText(minor, invoice.currency),
  );
  const detail = `At most ${most} is due, and ${written} is written off.`;
  return { reason: 'amount-out-of-range', due, detail };
}
