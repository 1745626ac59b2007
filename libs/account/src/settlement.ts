import type { AppliedAmount, BillingEntry } from './billing-events.js';

// How money and invoices meet: every amount stands once here, for decisions, states and journals.

/** Amounts that an event sets against invoices: paid above zero, taken back below. */
export function appliedAmounts({ type, data }: BillingEntry): readonly AppliedAmount[] {
  switch (type) {
    case 'PaymentRecorded':
      if (data.applied !== undefined) return data.applied;
      return data.invoice_id === null ? [] : [[data.invoice_id, data.amount]];
    case 'RefundRecorded':
      return data.applied.map(([id, amount]) => [id, -amount]);
    case 'CreditNoteSealed':
      return data.to_balance === undefined ? [] : [[data.invoice_id, -data.to_balance]];
    case 'CreditBalanceApplied':
      return [[data.invoice_id, data.amount]];
    case 'InvoiceSealed':
    case 'WriteOffRecorded':
    case 'InvoiceOverdue':
    case 'ReminderDue':
    case 'RemindersSet':
      return [];
  }
}

/** The amount that an event writes off of an invoice; below zero it takes that back. */
export function writtenOff({ type, data }: BillingEntry): AppliedAmount | null {
  if (type === 'WriteOffRecorded') return [data.invoice_id, data.amount];
  if (type !== 'CreditNoteSealed' || data.write_off === undefined) return null;
  return [data.invoice_id, -data.write_off];
}

/** Money that came in with an event; below zero it went out. */
export function moneyOf({ type, data }: BillingEntry): number {
  if (type === 'PaymentRecorded') return data.amount;
  return type === 'RefundRecorded' ? -data.amount : 0;
}

/** The change of the credit balance: money that no invoice got, or what invoices gave back. */
export function balanceChange(entry: BillingEntry): number {
  return appliedAmounts(entry).reduce((rest, [, amount]) => rest - amount, moneyOf(entry));
}

/** The credit balance after all entries of an account. */
export function creditBalance(entries: readonly BillingEntry[]): number {
  return entries.reduce((balance, entry) => balance + balanceChange(entry), 0);
}
