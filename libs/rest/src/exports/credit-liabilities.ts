import type { AccountState } from '#account/state.js';
import { creditLiability, type GrantLiability } from '#invoice-rules/credit-liability.js';
import { purchasedGrants } from '#invoice-rules/purchased-grants.js';
import type { Calendar } from '#calendar/calendar.js';
import type { AccountBooks, BooksReader } from './account-books.js';

/** Credits owed for one purchased grant of an account, from the month's start to its end. */
export interface Liability extends GrantLiability {
  readonly account_id: string;
  readonly currency: string;
  /** Whether the account was closed by the month's end: its credits are owed all the same. */
  readonly account_closed: boolean;
}

/**
 * Purchased credits owed to all accounts in a month, some accounts at a time. Closed months never
 * change; others are as of now.
 */
export async function* creditLiabilities(
  books: BooksReader,
  { month, test }: { readonly month: string; readonly test: boolean },
  calendar: Calendar,
): AsyncGenerator<readonly Liability[]> {
  for await (const batch of books.all(test)) {
    yield batch.flatMap((account) => liabilitiesOf(account, month, calendar));
  }
}

/** Whether an account was closed before a month ended. */
export function isClosedBy(
  { closedAt }: Pick<AccountState, 'closedAt'>,
  month: string,
  calendar: Calendar,
): boolean {
  return closedAt !== null && closedAt < (calendar.monthOf(month)?.endsAt ?? 0);
}

function liabilitiesOf(
  { accountId: account_id, present, state, changes }: AccountBooks,
  month: string,
  calendar: Calendar,
): Liability[] {
  if (present < month) return [];
  const { currency } = state;
  const account_closed = isClosedBy(state, month, calendar);
  return creditLiability(purchasedGrants(month, changes, state, calendar).grants)
    .filter(({ opening, sold }) => opening.credits > 0 || sold.credits > 0)
    .map((liability) => ({ account_id, currency, ...liability, account_closed }));
}
