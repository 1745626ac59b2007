import { appliedAmounts, balanceChange, type BillingEntry } from '#account/billing-events.js';
import type { InvoiceAccount } from '#invoice-rules/invoice-account.js';
import type { Invoice } from '#invoice-rules/invoice.js';
import { formatMoment } from '#calendar/instant.js';
import type { AccountBilling } from '../invoices/account-billing.js';
import type { InvoicePayment, RemindersView } from '../views/invoice-reads.js';

/** All that was set against an invoice: together what is paid of it. */
export function paymentsOf({ id }: Invoice, { events }: AccountBilling): InvoicePayment[] {
  return events.flatMap((event) => {
    const recorded_at = formatMoment(event.at);
    return appliedAmounts(event)
      .filter(([invoiceId]) => invoiceId === id)
      .map(([, amount]) => {
        return { ...paymentOf(event), amount, recorded_at, ...receivedOf(event, amount) };
      });
  });
}

function receivedOf(event: BillingEntry, own: number): Pick<InvoicePayment, 'received'> {
  const { type, data } = event;
  if (type !== 'PaymentRecorded' || data.amount === own) return {};
  const kept = balanceChange(event);
  const rest = { other_invoices: data.amount - own - kept, credit_balance: kept };
  return { received: { amount: data.amount, ...rest } };
}

/** Reminders of an invoice so far, and whether they are stopped. */
export function remindersOf(
  { invoice: { id }, reminded: { isStopped } }: InvoiceAccount,
  { events }: AccountBilling,
): RemindersView {
  const sent = events.flatMap(({ type, at, data }) =>
    type === 'ReminderDue' && data.invoice_id === id
      ? [{ days: data.days, at: formatMoment(at) }]
      : [],
  );
  return { stopped: isStopped, sent };
}

function paymentOf({ type, data }: BillingEntry): Omit<InvoicePayment, 'amount' | 'recorded_at'> {
  switch (type) {
    case 'PaymentRecorded': {
      const { payment_id: id, currency, date, reference } = data;
      return { id, currency, date, reference };
    }
    case 'RefundRecorded': {
      const { refund_id, currency, date, reference } = data;
      return { id: refund_id, currency, date, reference, source: 'refund' };
    }
    case 'CreditNoteSealed': {
      const { credit_note_id, currency, issue_date: date } = data;
      return { id: credit_note_id, currency, date, reference: null, source: 'credit_balance' };
    }
    case 'CreditBalanceApplied': {
      const { invoice_id, currency, date } = data;
      return { id: invoice_id, currency, date, reference: null, source: 'credit_balance' };
    }
    case 'InvoiceSealed':
    case 'WriteOffRecorded':
    case 'InvoiceOverdue':
    case 'ReminderDue':
    case 'RemindersSet':
      throw new Error(`An event of type ${type} pays no invoice.`);
  }
}
