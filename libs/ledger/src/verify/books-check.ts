import type { AccountEvent, CreditsGranted } from '#account/events.js';
import type { AccountState } from '#account/state.js';
import { worthOf } from '#account/worth.js';
import { accruals } from '#billing/accruals.js';
import { periodOf } from '#billing/draft-invoice.js';
import { DEFAULT_ACCOUNTS } from '#billing/journal.js';
import { purchasedGrants, type Change } from '#billing/purchased-grants.js';
import type { Calendar } from '#calendar/calendar.js';
import type { StoredEvent } from '#event-log/event-log.js';
import type { WalkedEvent } from '../snapshots/account-tail.js';
import type { LaneFindings } from './findings.js';

interface Books {
  readonly changes: Change[];
  isBuyer: boolean;
  /** Of the deferred revenue, net in minor units: credits less debits of all months so far. */
  balance: number;
}

const CHANGES: ReadonlySet<AccountEvent['type']> = new Set([
  'CreditsGranted',
  'GrantExpired',
  'GrantVoided',
  'MonthClosed',
]);

/**
 * Holds, at each month's end, what the journal has booked to the deferred revenue of an account
 * against the value of its unused purchased credits: the state's, which no journal knows.
 */
export class BooksCheck {
  private readonly accounts = new Map<string, Books>();

  constructor(
    private readonly findings: LaneFindings,
    private readonly calendar: Calendar,
  ) {}

  add(stored: StoredEvent | WalkedEvent): void {
    if (!('account' in stored) || !CHANGES.has(stored.event.type)) return;
    const { accountId, position, event } = stored;
    const books = this.accounts.get(accountId) ?? { changes: [], isBuyer: false, balance: 0 };
    this.accounts.set(accountId, books);
    const { state } = stored.account;
    const left = state.grants.map((grant) => [grant.ordinal, grant.left] as const);
    books.changes.push({ event, left });
    books.isBuyer ||= event.type === 'CreditsGranted' && isPriced(event.data);
    if (event.type !== 'MonthClosed' || !books.isBuyer) return;
    books.balance += this.bookedIn(event.data.month, books, state);
    const owed = owedIn(state);
    if (books.balance === owed) return;
    const { month } = event.data;
    const { currency } = state;
    this.findings.event(
      'books',
      position,
      { month, currency, owed },
      { month, currency, balance: books.balance },
    );
  }

  private bookedIn(month: string, { changes }: Books, state: AccountState): number {
    const { calendar } = this;
    const { grants, movements } = purchasedGrants(month, changes, state, calendar);
    const entries = accruals(
      {
        currency: state.currency,
        period: periodOf(month),
        dayOf: (at) => calendar.dayAt(at).label,
        grants,
        movements,
        earned: null,
        taxOf: () => 0,
      },
      DEFAULT_ACCOUNTS,
    );
    const postings = entries
      .flatMap((entry) => entry.postings)
      .filter(({ account }) => account === DEFAULT_ACCOUNTS.deferredRevenue);
    return postings.reduce((sum, { debit, credit }) => sum + credit - debit, 0);
  }
}

function isPriced({ price }: CreditsGranted): boolean {
  return price !== null;
}

function owedIn({ grants }: AccountState): number {
  return grants.reduce(
    (sum, { worth, left }) => sum + (worth === undefined ? 0 : worthOf(worth, left)),
    0,
  );
}
