import { type BillingEntry, creditBalance } from '#account/billing-events.js';
import { parseDate } from '#calendar/civil-date.js';
import type { InvoiceAccount } from './invoice-account.js';
import { sumOf } from './money.js';
import { refundable, type OpenItem } from './receivables.js';

/** How long an invoice is overdue, in days. */
export const AGES = ['not_due', 'days_1_30', 'days_31_60', 'days_61_90', 'over_90'] as const;
export type Age = (typeof AGES)[number];

const AGE_DAYS = 30;

/** An issued invoice with what became of it. */
export interface StatedItem extends OpenItem {
  readonly issueDate: string;
  readonly account: InvoiceAccount;
}

/** An invoice of which something is due, or is to be paid back. */
export interface OpenInvoice {
  readonly id: string;
  readonly number: string;
  readonly issue_date: string;
  readonly due_date: string;
  readonly total: number;
  readonly paid: number;
  readonly credited: number;
  readonly written_off: number;
  readonly due: number;
  readonly days_overdue: number;
  readonly age: Age;
}

/** One movement; above zero it is owed by the customer. */
export interface StatementEntry {
  readonly date: string;
  readonly type: 'invoice' | 'credit_note' | 'payment' | 'refund' | 'write_off';
  /** Number of the document; null: it is money, or has no number yet. */
  readonly number: string | null;
  readonly id: string;
  readonly reference: string | null;
  readonly amount: number;
  /** Owed by the customer after it. */
  readonly balance: number;
}

/** Debts of a customer, and to it, on a date, and how they came about. */
export interface AccountStatement {
  readonly date: string;
  /** Owed, less what is to be paid back and the credit balance. */
  readonly balance: number;
  readonly owed: number;
  readonly overdue: number;
  readonly to_refund: number;
  readonly credit_balance: number;
  readonly ageing: Readonly<Record<Age, number>>;
  readonly open: readonly OpenInvoice[];
  readonly entries: readonly StatementEntry[];
}

/** The statement of an account on a local date. `numbers`: of its documents, by id. */
export function accountStatement(
  items: readonly StatedItem[],
  events: readonly BillingEntry[],
  numbers: ReadonlyMap<string, string>,
  date: string,
): AccountStatement {
  const open = items.filter(({ due }) => due !== 0).map((item) => openInvoice(item, date));
  const ageing = Object.fromEntries(
    AGES.map((age) => [age, owedIn(open.filter((one) => one.age === age))]),
  ) as Record<Age, number>;
  const owed = owedIn(open);
  const balance = creditBalance(events);
  const toRefund = refundable({ items, balance: 0 });
  return {
    date,
    balance: sumOf([owed, -toRefund, -balance], 'The balance'),
    owed,
    overdue: owed - ageing.not_due,
    to_refund: toRefund,
    credit_balance: balance,
    ageing,
    open,
    entries: entriesOf(events, numbers),
  };
}

function owedIn(open: readonly OpenInvoice[]): number {
  return sumOf(
    open.map(({ due }) => Math.max(0, due)),
    'What is owed',
  );
}

function openInvoice({ id, number, due, issueDate, account }: StatedItem, date: string) {
  const { invoice, paid, creditedNet, creditedTax, writtenOff } = account;
  const days = due > 0 ? Math.max(0, dayOf(date) - dayOf(invoice.due_date)) : 0;
  return {
    id,
    number,
    issue_date: issueDate,
    due_date: invoice.due_date,
    total: invoice.total,
    paid,
    credited: creditedNet + creditedTax,
    written_off: writtenOff,
    due,
    days_overdue: days,
    age: AGES[Math.min(Math.ceil(days / AGE_DAYS), AGES.length - 1)] ?? 'over_90',
  };
}

type Movement = Omit<StatementEntry, 'balance' | 'number'>;

function movementOf({ type, data }: BillingEntry): Movement | null {
  switch (type) {
    case 'InvoiceSealed':
      return { ...named('invoice', data.invoice_id, data.issue_date), amount: data.total };
    case 'CreditNoteSealed':
      return {
        ...named('credit_note', data.credit_note_id, data.issue_date),
        amount: (data.write_off ?? 0) - data.total,
      };
    case 'PaymentRecorded': {
      const { payment_id: id, date, reference } = data;
      return { ...named('payment', id, date), reference, amount: 0 - data.amount };
    }
    case 'RefundRecorded': {
      const { refund_id: id, date, reference } = data;
      return { ...named('refund', id, date), reference, amount: data.amount };
    }
    case 'WriteOffRecorded':
      return { ...named('write_off', data.write_off_id, data.date), amount: 0 - data.amount };
    case 'CreditBalanceApplied':
    case 'InvoiceOverdue':
    case 'ReminderDue':
    case 'RemindersSet':
      return null;
  }
}

function named(type: StatementEntry['type'], id: string, date: string) {
  return { type, id, date, reference: null };
}

/** In the order of dates. Invoices and credit notes count once they have a number. */
function entriesOf(
  events: readonly BillingEntry[],
  numbers: ReadonlyMap<string, string>,
): StatementEntry[] {
  let balance = 0;
  return events
    .flatMap((event) => movementOf(event) ?? [])
    .filter(({ type, id }) => numbers.has(id) || (type !== 'invoice' && type !== 'credit_note'))
    .toSorted((one, other) => (one.date === other.date ? 0 : one.date < other.date ? -1 : 1))
    .map(({ date, type, id, reference, amount }) => {
      balance += amount;
      return { date, type, number: numbers.get(id) ?? null, id, reference, amount, balance };
    });
}

function dayOf(date: string): number {
  const day = parseDate(date);
  if (day === undefined) throw new RangeError(`"${date}" is not a date.`);
  return day;
}
