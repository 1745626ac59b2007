import {
  appliedAmounts,
  balanceChange,
  type BillingDetailsChanged,
  type BillingEntry,
  type CreditBalanceApplied,
  type CreditNoteSealed,
  type InvoiceOverdue,
  type InvoiceRecord,
  type InvoiceSealed,
  type PaymentRecorded,
  type RefundRecorded,
  type ReminderDue,
  type RemindersSet,
  type WriteOffRecorded,
} from './billing-events.js';
import {
  billed,
  billingSaid,
  creditNoteSealed,
  invoiceSealed,
  type ChangeBilling,
  type RecordBilling,
} from './billing.js';
import { commanded, due, originOf, type Writer } from './event-type.js';
import type { AccountState } from './state.js';
import type { Origin } from './terms.js';

const page = { kind: 'invoice' };

/** The nil UUID, for receivers that expect an invoice of each payment. */
const NO_INVOICE = '00000000-0000-0000-0000-000000000000';

/** Events about invoices, each decided on all earlier ones. */
export const INVOICE_EVENTS = {
  InvoiceSealed: commanded<InvoiceSealed>({
    opensMonth: false,
    effect: invoiceSealed,
    command: (data, state) => recorded(state, data, { type: 'InvoiceSealed', data }),
    page,
    story: { title: 'Invoice drawn up', details: ofMonth },
  }),
  CreditNoteSealed: commanded<CreditNoteSealed>({
    opensMonth: false,
    effect: creditNoteSealed,
    command: (data, state) => ({
      ...recorded(state, data, { type: 'CreditNoteSealed', data }),
      purchases: data.purchases?.map(([grantId, , amount]) => [grantId, amount]),
      keptAs: data.kept_as,
    }),
    page,
    story: { title: 'Credit note drawn up', details: ofMonth, tone: 'warn' },
  }),
  PaymentRecorded: commanded<PaymentRecorded, 'payment.recorded'>({
    opensMonth: false,
    effect: (state, data) => billed(state, { type: 'PaymentRecorded', data }),
    command: (data, state) => recorded(state, data, { type: 'PaymentRecorded', data }),
    notification: {
      type: 'payment.recorded',
      data: (data) => {
        const { payment_id, amount, currency, date } = data;
        const invoice_id = data.invoice_id ?? data.applied?.[0]?.[0] ?? NO_INVOICE;
        const of = { payment_id, invoice_id, amount, currency, date };
        return { ...of, ...allocationOf({ type: 'PaymentRecorded', data }) };
      },
    },
    page,
    story: { title: 'Payment recorded', details: paymentWords, tone: 'good' },
  }),
  RefundRecorded: commanded<RefundRecorded, 'refund.recorded'>({
    opensMonth: false,
    effect: (state, data) => billed(state, { type: 'RefundRecorded', data }),
    command: (data, state) => recorded(state, data, { type: 'RefundRecorded', data }),
    notification: {
      type: 'refund.recorded',
      data: (data) => {
        const { refund_id, amount, currency, date } = data;
        const of = { refund_id, amount, currency, date };
        return { ...of, ...allocationOf({ type: 'RefundRecorded', data }) };
      },
    },
    page,
    story: {
      title: 'Refund recorded',
      details: ({ amount, currency, date }, { money, text }) =>
        `${money(amount, currency)} paid back on ${text(date)}`,
      tone: 'warn',
    },
  }),
  WriteOffRecorded: commanded<WriteOffRecorded, 'write_off.recorded'>({
    opensMonth: false,
    effect: (state, data) => billed(state, { type: 'WriteOffRecorded', data }),
    command: (data, state) => recorded(state, data, { type: 'WriteOffRecorded', data }),
    notification: {
      type: 'write_off.recorded',
      data: ({ write_off_id, invoice_id, amount, currency, date }) => ({
        write_off_id,
        invoice_id,
        amount,
        currency,
        date,
      }),
    },
    page,
    story: {
      title: 'Written off',
      details: ({ amount, currency }, { money }) => money(amount, currency),
      tone: 'bad',
    },
  }),
  CreditBalanceApplied: due<CreditBalanceApplied, 'credit_balance.applied'>({
    opensMonth: false,
    effect: (state, data) =>
      billed(state, { type: 'CreditBalanceApplied', data }, { applying: null }),
    notification: {
      type: 'credit_balance.applied',
      data: ({ invoice_id, amount, currency, date }) => ({ invoice_id, amount, currency, date }),
    },
    page,
    story: {
      title: 'Credit balance applied',
      details: ({ amount, currency }, { money }) => `${money(amount, currency)} of an invoice paid`,
      tone: 'good',
    },
  }),
  InvoiceOverdue: commanded<InvoiceOverdue, 'invoice.overdue'>({
    opensMonth: false,
    effect: (state, data) => billed(state, { type: 'InvoiceOverdue', data }),
    command: (data, state) => recorded(state, data, { type: 'InvoiceOverdue', data }),
    notification: {
      type: 'invoice.overdue',
      data: ({ invoice_id, due_date, due, currency }) => ({ invoice_id, due_date, due, currency }),
    },
    page,
    story: {
      title: 'Invoice overdue',
      details: ({ due, currency, due_date: date }, { money, text }) =>
        `${money(due, currency)} due since ${text(date)}`,
      tone: 'bad',
    },
  }),
  ReminderDue: commanded<ReminderDue, 'invoice.reminder'>({
    opensMonth: false,
    effect: (state, data) => billed(state, { type: 'ReminderDue', data }),
    command: (data, state) => recorded(state, data, { type: 'ReminderDue', data }),
    notification: {
      type: 'invoice.reminder',
      data: ({ invoice_id, number, days, due_date, due, currency }) => ({
        invoice_id,
        number,
        days,
        due_date,
        due,
        currency,
      }),
    },
    page,
    story: {
      title: 'Reminder of an invoice',
      details: ({ number, due, currency, days }, { money, text, count }) =>
        `${text(number)}, ${money(due, currency)} due for ${count(days ?? 0, 'day')}`,
      tone: 'warn',
    },
  }),
  RemindersSet: commanded<RemindersSet>({
    opensMonth: false,
    effect: (state, data) => billed(state, { type: 'RemindersSet', data }),
    command: (data, state) => recorded(state, data, { type: 'RemindersSet', data }),
    page,
    story: {
      title: 'Reminders of an invoice',
      details: ({ stopped }) => (stopped === true ? 'stopped' : 'go on'),
    },
  }),
};

export const BILLING_EVENTS = {
  BillingDetailsChanged: commanded<BillingDetailsChanged>({
    effect: billingSaid,
    command: (data): ChangeBilling => {
      const { profile, tax, purchases } = data;
      const details = {
        profile,
        ...(tax !== undefined && { tax }),
        ...(purchases !== undefined && { purchases }),
      };
      return { command: 'change-billing', origin: originOf(data), ...details };
    },
    page,
    story: { title: 'Billing details changed' },
  }),
  ...INVOICE_EVENTS,
};

/** The version it was decided on is assumed to be the newest one. */
function recorded({ billing }: AccountState, data: Origin, record: InvoiceRecord): RecordBilling {
  return { command: 'record-billing', origin: originOf(data), after: billing.version, record };
}

/** Invoices that an amount was set against, and the change of the credit balance. */
function allocationOf(entry: BillingEntry) {
  return {
    applied: appliedAmounts(entry).map(([invoice_id, amount]) => ({ invoice_id, amount })),
    credit_balance_change: balanceChange(entry),
  };
}

function ofMonth(
  { month, total, currency }: Partial<InvoiceSealed | CreditNoteSealed>,
  { text, money }: Writer,
): string {
  return `${text(month)}, ${money(total, currency)}`;
}

function paymentWords(
  { amount, currency, date, reference = null }: Partial<PaymentRecorded>,
  { text, money }: Writer,
): string {
  const of = reference === null || reference === '' ? '' : `, ${reference}`;
  return `${money(amount, currency)} paid on ${text(date)}${of}`;
}
