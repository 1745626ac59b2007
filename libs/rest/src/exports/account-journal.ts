import { type CreditNoteSealed, type InvoiceSealed, isOfMonth } from '#account/billing-events.js';
import { accruals } from '#invoice-rules/accruals.js';
import { periodOf } from '#invoice-rules/draft-invoice.js';
import { billedPurchases, type Purchasing } from '#invoice-rules/invoice-lines.js';
import type { Invoice } from '#invoice-rules/invoice.js';
import { creditNoteEntry, invoiceEntry, type EarnedAmounts } from '#invoice-rules/journal.js';
import type { JournalAccounts, JournalEntry } from '#invoice-rules/journal.js';
import { priceOf, sumOf } from '#invoice-rules/money.js';
import { purchasedGrants } from '#invoice-rules/purchased-grants.js';
import { taxOn, taxTerms } from '#invoice-rules/tax.js';
import type { Calendar } from '#calendar/calendar.js';
import type { InvoiceEvent } from '#projections/invoices/account-billing.js';
import type { AccountBooks } from './account-books.js';
import {
  isSettling,
  settlingEntries,
  type SettlementEvent,
} from '#invoice-rules/settlement-journal.js';

/** Numbers of documents, and the invoices that credit notes correct, by their ids. */
export interface BookedDocuments {
  readonly numbers: ReadonlyMap<string, string>;
  readonly invoices: ReadonlyMap<string, Pick<Invoice, 'lines'>>;
}

/** The events about invoices that are booked in a month. */
export interface BookedEvents {
  readonly invoices: readonly InvoiceSealed[];
  readonly notes: readonly CreditNoteSealed[];
  /** Payments, refunds, write-offs and uses of the credit balance, in the order of the log. */
  readonly settlements: readonly SettlementEvent[];
}

/** Documents and payments of a month, by the dates that are printed and stated. */
export function bookedIn(billing: readonly InvoiceEvent[], month: string): BookedEvents {
  const isOf = (date: string): boolean => date.startsWith(month);
  return {
    invoices: billing.flatMap((event) =>
      event.type === 'InvoiceSealed' && isOf(event.data.issue_date) ? [event.data] : [],
    ),
    notes: billing.flatMap((event) =>
      event.type === 'CreditNoteSealed' && isOf(event.data.issue_date) ? [event.data] : [],
    ),
    settlements: billing.flatMap((event): SettlementEvent[] =>
      isSettling(event) && isOf(event.data.date) ? [event] : [],
    ),
  };
}

/** All entries of an account whose posting date lies in a month, in the order of their dates. */
export function accountJournal(
  books: AccountBooks,
  month: string,
  documents: BookedDocuments,
  accounts: JournalAccounts,
  calendar: Calendar,
): JournalEntry[] {
  const { present, state, changes, billing } = books;
  const purchases = purchasedGrants(month, changes, state, calendar);
  const { grants, movements } = purchases;
  const booked = {
    currency: state.currency,
    period: periodOf(month),
    dayOf: (at: number) => calendar.dayAt(at).label,
    grants,
    movements,
    earned: earnedIn(books, month, purchases),
    taxOf: (grantId: string) =>
      sealedInvoice(billing, (one) => one.grant_id === grantId)?.tax ?? taxNow(books, grantId),
  };
  return [
    ...(present < month ? [] : accruals(booked, accounts)),
    ...documentEntries(bookedIn(billing, month), documents, accounts),
  ]
    .filter(({ postings }) => postings.length > 0)
    .toSorted((one, other) => (one.date === other.date ? 0 : one.date < other.date ? -1 : 1));
}

function sealedInvoice(
  billing: readonly InvoiceEvent[],
  isIt: (invoice: InvoiceSealed) => boolean,
): InvoiceSealed | undefined {
  const sealed = billing.flatMap((event) => (event.type === 'InvoiceSealed' ? [event.data] : []));
  return sealed.find(isIt);
}

/**
 * The tax on a purchase that is not invoiced yet, by the terms that would be sealed now; 0 where it
 * was voided and never will be.
 */
function taxNow({ state }: AccountBooks, grantId: string): number {
  const { unbilled, tax } = state.billing;
  const net = unbilled.find((one) => one.grantId === grantId)?.amount ?? 0;
  return taxOn(net, taxTerms(state.plan, tax).rate_percent);
}

/** Revenue of a closed month; null while it runs, and where nothing happened in it. */
function earnedIn(
  { changes, state, billing }: AccountBooks,
  month: string,
  purchases: Purchasing,
): EarnedAmounts | null {
  const closes = changes.flatMap(({ event }) => (event.type === 'MonthClosed' ? [event.data] : []));
  const close = closes.find((one) => one.month === month);
  if (close === undefined) return null;
  const { plan } = close;
  const fee = plan?.monthly_fee ?? 0;
  const overage = priceOf(close.overage, plan?.price_per_1000_credits ?? 0);
  const sealed = sealedInvoice(billing, (one) => one.month === month && isOfMonth(one));
  if (sealed !== undefined) return { fee, overage, tax: sealed.tax };
  const net = sumOf([fee, overage, billedPurchases(purchases)], 'What is to be invoiced');
  return { fee, overage, tax: taxOn(net, taxTerms(plan, state.billing.tax).rate_percent) };
}

function documentEntries(
  { invoices, notes, settlements }: BookedEvents,
  documents: BookedDocuments,
  accounts: JournalAccounts,
): JournalEntry[] {
  const numberOf = (id: string): string | undefined => documents.numbers.get(id);
  return [
    ...invoices.flatMap((invoice) => {
      const number = numberOf(invoice.invoice_id);
      return number === undefined ? [] : [invoiceEntry({ ...invoice, number }, accounts)];
    }),
    ...notes.flatMap((note) => {
      const [number, of] = [numberOf(note.credit_note_id), numberOf(note.invoice_id)];
      const invoice = documents.invoices.get(note.invoice_id);
      if (number === undefined || of === undefined || invoice === undefined) return [];
      return [creditNoteEntry({ ...note, number, of }, invoice, accounts)];
    }),
    ...settlements.flatMap((event) => settlingEntries(event, documents, accounts)),
  ];
}
