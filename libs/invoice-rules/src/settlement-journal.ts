import { appliedAmounts, type BillingEntry, moneyOf } from '#account/billing-events.js';
import { moneyEntry, writeOffEntry, type JournalEntry } from './journal.js';

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

/**
 * The entries of a payment, a refund, a write-off or a use of the credit balance: one for each
 * invoice, whose number is its document, and one for what changes the credit balance.
 */
export function settlingEntries(
  event: SettlementEvent,
  { numbers }: { readonly numbers: ReadonlyMap<string, string> },
): JournalEntry[] {
  const { date, currency } = event.data;
  const reference = 'reference' in event.data ? event.data.reference : null;
  const documentId = idOf(event);
  const heading = { date, currency, documentId, reference };
  const money = moneyOf(event);
  const what = money < 0 && event.type === 'PaymentRecorded' ? 'Repayment' : WORDS[event.type];
  if (event.type === 'WriteOffRecorded') {
    const number = numbers.get(event.data.invoice_id) ?? documentId;
    const of = { ...heading, document: number };
    return [writeOffEntry(of, `${what} of ${number}`, event.data.amount)];
  }
  let left = money;
  const entries = appliedAmounts(event).flatMap(([id, applied]): JournalEntry[] => {
    const number = numbers.get(id);
    // What pays an invoice is booked with it, and it is booked once it has a number.
    if (event.type === 'CreditBalanceApplied' && number === undefined) return [];
    // All are of one sign: what the money does not cover is taken from the credit balance.
    const part = Math.abs(applied) < Math.abs(left) ? applied : left;
    left -= part;
    const of = { ...heading, document: number ?? documentId };
    const description = number === undefined ? what : `${what} of ${number}`;
    return [moneyEntry(of, description, { money: part, applied })];
  });
  if (left === 0) return entries;
  const rest = { ...heading, document: date.slice(0, 'YYYY-MM'.length) };
  return [...entries, moneyEntry(rest, `${what}, credit balance`, { money: left, applied: 0 })];
}

function idOf({ type, data }: SettlementEvent): string {
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
