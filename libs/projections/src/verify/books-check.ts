import type { CreditsGranted } from '#account/credits.js';
import type { AccountEvent } from '#account/events.js';
import { worthOf } from '#account/rounding.js';
import type { AccountState } from '#account/state.js';
import { accruals } from '#invoice-rules/accruals.js';
import { periodOf } from '#invoice-rules/draft-invoice.js';
import type { GrantMonth } from '#invoice-rules/month-facts.js';
import { purchasedGrants, type Change } from '#invoice-rules/purchased-grants.js';
import type { PurchasesOfMonth } from '#invoice-rules/purchased-grants.js';
import { grantSchedules } from '#invoice-rules/revenue-schedule.js';
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
 * against the value of its unused purchased credits: the state's, which no journal knows. The same
 * for the revenue schedule: it goes on where the books stood, and its movements lead to that value.
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
    const { month } = event.data;
    const { currency } = state;
    const before = books.balance;
    const purchases = purchasedGrants(month, books.changes, state, this.calendar);
    books.balance += this.bookedIn(month, purchases, state);
    const owed = owedIn(state);
    const found = { balance: books.balance, ...deferredIn(purchases.grants) };
    if (found.balance === owed && found.opening === before && found.closing === owed) return;
    const expected = { balance: owed, opening: before, closing: owed };
    this.findings.event(
      'books',
      position,
      { month, currency, ...expected },
      { month, currency, ...found },
    );
  }

  private bookedIn(
    month: string,
    { grants, movements }: PurchasesOfMonth,
    state: AccountState,
  ): number {
    const { calendar } = this;
    const entries = accruals({
      currency: state.currency,
      period: periodOf(month),
      dayOf: (at) => calendar.dayAt(at).label,
      grants,
      movements,
      earned: null,
      purchaseOf: () => ({ number: null, tax: 0, code: null }),
    });
    const postings = entries
      .flatMap((entry) => entry.postings)
      .filter(({ ledger }) => ledger === 'deferred_revenue');
    return postings.reduce((sum, { debit, credit }) => sum + credit - debit, 0);
  }
}

/**
 * Deferred by the revenue schedule as a month begins, and what its own movements leave at its end.
 */
function deferredIn(grants: readonly GrantMonth[]): { opening: number; closing: number } {
  const sums = { opening: 0, closing: 0 };
  for (const { amounts } of grantSchedules(grants, false)) {
    const { opening, sold, refunded, used, breakage } = amounts;
    sums.opening += opening;
    sums.closing += opening + sold - refunded - used - breakage;
  }
  return sums;
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
