import { creditLiability, refundsOf } from './credit-liability.js';
import { earnedEntry, recognitionEntry, refundEntry, saleEntry } from './journal.js';
import type { EarnedAmounts, JournalAccounts, JournalEntry } from './journal.js';
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
  /** Null while the month runs. */
  readonly earned: EarnedAmounts | null;
  /** Tax of a purchase that is invoiced at once, on what of it is billed. */
  readonly taxOf: (grantId: string) => number;
}

/**
 * Entries of a month of an account, whatever was invoiced: sales and refunds of credits on their
 * day, and on its last day what it earned and what of the credits became revenue. So the balance of
 * the deferred revenue is at each month's end what is owed in purchased credits.
 */
export function accruals(books: BooksOfMonth, accounts: JournalAccounts): JournalEntry[] {
  const { currency, period, grants, earned } = books;
  const end = { date: period.to, currency };
  const refunds = new Map(grants.map((grant) => [grant.id, refundsOf(grant)]));
  return [
    ...movementEntries(books, accounts),
    ...creditLiability(grants).map((liability) =>
      recognitionEntry(liability, refunds.get(liability.grant_id) ?? 0, end, accounts),
    ),
    ...(earned === null
      ? []
      : [earnedEntry({ ...end, document: period.to.slice(0, 7) }, earned, accounts)]),
  ];
}

function movementEntries(books: BooksOfMonth, accounts: JournalAccounts): JournalEntry[] {
  const { currency, grants, movements, taxOf } = books;
  const byOrdinal = new Map(grants.map((grant) => [grant.ordinal, grant]));
  return movements.flatMap((movement): JournalEntry[] => {
    const grant = 'ordinal' in movement ? byOrdinal.get(movement.ordinal ?? 0) : undefined;
    if (grant === undefined) return [];
    const heading = { date: dateOf(books, movement.at), document: grant.id, currency };
    if (movement.type === 'voided') return [refundEntry(heading, movement.refund ?? 0, accounts)];
    if (movement.type !== 'granted' || movement.price === null) return [];
    const { price, isAtOnce = false } = movement;
    const tax = isAtOnce ? taxOf(grant.id) : 0;
    return [saleEntry(heading, { price, tax }, accounts)];
  });
}

/** The day of a movement; what falls due at the very end of a month belongs to it. */
function dateOf({ period: { from, to }, dayOf }: BooksOfMonth, at: number): string {
  const day = dayOf(at);
  if (day > to) return to;
  return day < from ? from : day;
}
