import { creditLiability, refundsOf } from './credit-liability.js';
import { earnedEntry, recognitionEntry, refundEntry, saleEntry } from './journal.js';
import type { EarnedAmounts, JournalEntry, TaxCode } from './journal.js';
import type { GrantMonth, Movement } from './month-facts.js';

/** One month of one account, as far as its books need it. */
export interface BooksOfMonth {
  readonly currency: string;
  /** Its first and last day; what fell due at its end is booked on the last. */
  readonly period: { readonly from: string; readonly to: string };
  readonly dayOf: (at: number) => string;
  /** Of purchased grants alone. */
  readonly grants: readonly GrantMonth[];
  readonly movements: readonly Movement[];
  /** With the tax code of the month's invoice. Null while the month runs. */
  readonly earned: (EarnedAmounts & { readonly code: TaxCode | null }) | null;
  readonly purchaseOf: (grantId: string) => PurchaseFacts;
}

/** Facts about a purchase that its movements do not state. */
export interface PurchaseFacts {
  /** Number of its invoice; null: it has none yet. */
  readonly number: string | null;
  /** On what of it is billed, if it is invoiced at once. */
  readonly tax: number;
  /** Null: nothing states it yet. */
  readonly code: TaxCode | null;
}

/**
 * Entries of a month of an account, whatever was invoiced: sales and refunds of credits on their
 * day, and on its last day what it earned and what of the credits became revenue. So the balance of
 * the deferred revenue is at each month's end what is owed in purchased credits.
 */
export function accruals(books: BooksOfMonth): JournalEntry[] {
  const { currency, period, grants, earned } = books;
  const month = period.to.slice(0, 'YYYY-MM'.length);
  const end = { date: period.to, currency, document: month, documentId: null };
  const known = new Map(grants.map((grant) => [grant.id, grant]));
  const recognised = creditLiability(grants).map((liability) => {
    const grant = known.get(liability.grant_id);
    if (grant === undefined) throw new Error(`Grant ${liability.grant_id} is unknown.`);
    const { number } = books.purchaseOf(grant.id);
    const heading = { ...end, document: number ?? month, documentId: grant.id };
    return recognitionEntry(heading, liability, refundsOf(grant));
  });
  return [
    ...movementEntries(books),
    ...recognised,
    ...(earned === null ? [] : [earnedEntry({ ...end, tax: earned.code }, earned)]),
  ];
}

function movementEntries(books: BooksOfMonth): JournalEntry[] {
  const { currency, grants, movements, purchaseOf } = books;
  const byOrdinal = new Map(grants.map((grant) => [grant.ordinal, grant]));
  return movements.flatMap((movement): JournalEntry[] => {
    const grant = 'ordinal' in movement ? byOrdinal.get(movement.ordinal ?? 0) : undefined;
    if (grant === undefined) return [];
    const isSale = movement.type === 'granted';
    const isAtOnce = isSale && movement.isAtOnce === true;
    const { number, tax, code } = purchaseOf(grant.id);
    const date = dateOf(books, movement.at);
    const document = number ?? date.slice(0, 'YYYY-MM'.length);
    const heading = { date, document, documentId: grant.id, currency, tax: code };
    if (movement.type === 'voided') return [refundEntry(heading, movement.refund ?? 0)];
    if (!isSale || movement.price === null) return [];
    return [saleEntry(heading, { price: movement.price, tax: isAtOnce ? tax : 0 })];
  });
}

/** The day of a movement; what falls due at the very end of a month belongs to it. */
function dateOf({ period: { from, to }, dayOf }: BooksOfMonth, at: number): string {
  const day = dayOf(at);
  if (day > to) return to;
  return day < from ? from : day;
}
