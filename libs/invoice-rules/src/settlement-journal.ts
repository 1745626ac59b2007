import { appliedAmounts, type BillingEntry, moneyOf } from '#account/billing-events.js';
import { moneyEntry, writeOffEntry } from './journal.js';
import type { JournalAccounts, JournalEntry } from './journal.js';
import { sumOf } from './money.js';

/** Events that are booked on the date that they state. */
export type SettlementEvent = Extract<
  BillingEntry,
  { type: 'PaymentRecorded' | 'RefundRecorded' | 'WriteOffRecorded' | 'CreditBalanceApplied' }
>;

const WORDS: Readonly<Record<SettlementEvent['type'], string>> = {
  PaymentRecorded: 'Payment',
  RefundRecorded: 'Refund',
  WriteOffRecorded: 'Write-off',
  CreditBalanceApplied: 'Credit balance used',
};

export function isSettling(entry: BillingEntry): entry is SettlementEvent {
  return Object.hasOwn(WORDS, entry.type);
}

/** The invoices that an event is about, by id. */
export function settledInvoices(event: SettlementEvent): string[] {
  if (event.type === 'WriteOffRecorded') return [event.data.invoice_id];
  return appliedAmounts(event).map(([id]) => id);
}

/** The entry of a payment, a refund, a write-off or a use of the credit balance. */
export function settlingEntries(
  event: SettlementEvent,
  { numbers }: { readonly numbers: ReadonlyMap<string, string> },
  accounts: JournalAccounts,
): JournalEntry[] {
  const { date, currency } = event.data;
  const of = settledInvoices(event).flatMap((id) => numbers.get(id) ?? []);
  // What pays an invoice is booked with it, and it is booked once it has a number.
  if (event.type === 'CreditBalanceApplied' && of.length === 0) return [];
  const money = moneyOf(event);
  const what = money < 0 && event.type === 'PaymentRecorded' ? 'Repayment' : WORDS[event.type];
  const description = of.length === 0 ? what : `${what} of ${of.join(', ')}`;
  const heading = { date, currency, description, document: documentOf(event) };
  if (event.type === 'WriteOffRecorded')
    return [writeOffEntry(heading, event.data.amount, accounts)];
  const applied = sumOf(
    appliedAmounts(event).map(([, amount]) => amount),
    'What is applied',
  );
  return [moneyEntry(heading, { money, applied }, accounts)];
}

function documentOf({ type, data }: SettlementEvent): string {
  switch (type) {
    case 'PaymentRecorded':
      return data.payment_id;
    case 'RefundRecorded':
      return data.refund_id;
    case 'WriteOffRecorded':
      return data.write_off_id;
    case 'CreditBalanceApplied':
      return data.invoice_id;
  }
}
