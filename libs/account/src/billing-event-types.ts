import type {
  BillingDetailsChanged,
  CreditNoteSealed,
  InvoiceOverdue,
  InvoiceRecord,
  InvoiceSealed,
  PaymentRecorded,
} from './billing-events.js';
import type { RecordBilling } from './commands.js';
import { commanded, originOf, type Writer } from './event-type.js';
import type { Origin } from './events.js';
import { billed, billingSaid, creditNoteSealed, invoiceSealed } from './evolve-billing.js';
import type { AccountState } from './state.js';

const page = { kind: 'invoice' };

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
    }),
    page,
    story: { title: 'Credit note drawn up', details: ofMonth, tone: 'warn' },
  }),
  PaymentRecorded: commanded<PaymentRecorded, 'payment.recorded'>({
    opensMonth: false,
    effect: (state) => billed(state),
    command: (data, state) => recorded(state, data, { type: 'PaymentRecorded', data }),
    notification: {
      type: 'payment.recorded',
      data: ({ payment_id, invoice_id, amount, currency, date }) => ({
        payment_id,
        invoice_id,
        amount,
        currency,
        date,
      }),
    },
    page,
    story: { title: 'Payment recorded', details: paymentWords, tone: 'good' },
  }),
  InvoiceOverdue: commanded<InvoiceOverdue, 'invoice.overdue'>({
    opensMonth: false,
    effect: (state) => billed(state),
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
};

export const BILLING_EVENTS = {
  BillingDetailsChanged: commanded<BillingDetailsChanged>({
    effect: billingSaid,
    command: (data) => {
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
