import { type CreditNoteSealed, type InvoiceSealed, isOfMonth } from '#account/billing-events.js';
import { accruals, type PurchaseFacts } from '#invoice-rules/accruals.js';
import { periodOf } from '#invoice-rules/draft-invoice.js';
import { billedPurchases, type Purchasing } from '#invoice-rules/invoice-lines.js';
import { creditNoteEntry, invoiceEntry } from '#invoice-rules/journal.js';
import type {
  CorrectedInvoice,
  EarnedAmounts,
  JournalEntry,
  TaxCode,
} from '#invoice-rules/journal.js';
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
  readonly invoices: ReadonlyMap<string, CorrectedInvoice>;
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
  calendar: Calendar,
): JournalEntry[] {
  const { present, state, changes, billing } = books;
  const sales = saleInvoices(books, calendar);
  const purchases = purchasedGrants(month, changes, state, calendar);
  const { grants, movements } = purchases;
  const booked = {
    currency: state.currency,
    period: periodOf(month),
    dayOf: (at: number) => calendar.dayAt(at).label,
    grants,
    movements,
    earned: earnedIn(books, month, purchases),
    purchaseOf: (grantId: string) => purchaseFacts(books, grantId, sales.get(grantId), documents),
  };
  return [
    ...(present < month ? [] : accruals(booked)),
    ...documentEntries(bookedIn(billing, month), documents),
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

/** The invoices on which the purchases of an account stand, by grant, as far as they are sealed. */
export function saleInvoices(
  { changes, billing }: AccountBooks,
  calendar: Calendar,
): ReadonlyMap<string, InvoiceSealed> {
  const sales = new Map<string, InvoiceSealed>();
  for (const { event } of changes) {
    if (event.type !== 'CreditsGranted' || event.data.price === null) continue;
    const { grant_id: id, invoiced } = event.data;
    const month = calendar.monthAt(event.at).label;
    const sealed = sealedInvoice(billing, (one) =>
      invoiced === 'at_once' ? one.grant_id === id : one.month === month && isOfMonth(one),
    );
    if (sealed !== undefined) sales.set(id, sealed);
  }
  return sales;
}

function purchaseFacts(
  books: AccountBooks,
  grantId: string,
  sale: InvoiceSealed | undefined,
  { numbers }: BookedDocuments,
): PurchaseFacts {
  if (sale === undefined) {
    const { plan, billing } = books.state;
    return { number: null, tax: taxNow(books, grantId), code: taxTerms(plan, billing.tax) };
  }
  const code = taxTerms(closeOf(books, sale.month)?.plan ?? null, sale.billing_tax);
  return { number: numbers.get(sale.invoice_id) ?? null, tax: sale.tax, code };
}

function closeOf({ changes }: AccountBooks, month: string) {
  const closes = changes.flatMap(({ event }) => (event.type === 'MonthClosed' ? [event.data] : []));
  return closes.find((one) => one.month === month);
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
  books: AccountBooks,
  month: string,
  purchases: Purchasing,
): (EarnedAmounts & { readonly code: TaxCode }) | null {
  const { state, billing } = books;
  const close = closeOf(books, month);
  if (close === undefined) return null;
  const { plan } = close;
  const fee = plan?.monthly_fee ?? 0;
  const overage = priceOf(close.overage, plan?.price_per_1000_credits ?? 0);
  const sealed = sealedInvoice(billing, (one) => one.month === month && isOfMonth(one));
  if (sealed !== undefined) {
    return { fee, overage, tax: sealed.tax, code: taxTerms(plan, sealed.billing_tax) };
  }
  const net = sumOf([fee, overage, billedPurchases(purchases)], 'What is to be invoiced');
  const code = taxTerms(plan, state.billing.tax);
  return { fee, overage, tax: taxOn(net, code.rate_percent), code };
}

function documentEntries(
  { invoices, notes, settlements }: BookedEvents,
  documents: BookedDocuments,
): JournalEntry[] {
  const numberOf = (id: string): string | undefined => documents.numbers.get(id);
  return [
    ...invoices.flatMap((invoice) => {
      const number = numberOf(invoice.invoice_id);
      return number === undefined ? [] : [invoiceEntry({ ...invoice, number })];
    }),
    ...notes.flatMap((note) => {
      const [number, of] = [numberOf(note.credit_note_id), numberOf(note.invoice_id)];
      const invoice = documents.invoices.get(note.invoice_id);
      if (number === undefined || of === undefined || invoice === undefined) return [];
      return [creditNoteEntry({ ...note, number, of }, invoice)];
    }),
    ...settlements.flatMap((event) => settlingEntries(event, documents)),
  ];
}
