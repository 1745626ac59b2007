import type pg from 'pg';
import { advance, evolveAll } from '#account/advance.js';
import { INVOICE_EVENTS } from '#account/billing-event-types.js';
import type { AccountEvent } from '#account/events.js';
import { type AccountState, momentOf } from '#account/state.js';
import type { Change } from '#invoice-rules/purchased-grants.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { withTransaction } from '#database/database.js';
import { damagedAccounts, isDamaged } from '#event-log/damaged-accounts.js';
import { laneOf, SYSTEM_ACCOUNT } from '#event-log/event-log.js';
import { readChanges, type PlacedEvent } from '#projections/events/month-events.js';
import { loadAccounts } from '#projections/loading/account-loader.js';
import { isOfInvoice, type InvoiceEvent } from '#projections/invoices/account-billing.js';
import { LEDGER } from '#projections/projections/ledger.projection.js';
import { findProfiles } from '#projections/texts/profiles.js';
import { stateAfter } from '#projections/snapshots/account-snapshots.js';

/** A customer as other systems know it; blank once the account is erased. */
export interface Customer {
  /** The account's external id. */
  readonly number: string;
  readonly name: string;
  readonly vatId: string;
}

/** All that the books of an account follow from, with what has fallen due by now. */
export interface AccountBooks {
  readonly accountId: string;
  readonly customer: Customer;
  /** Label of the account's running month. */
  readonly present: string;
  readonly state: AccountState;
  /** Changes of its credits but calls, and the closes of months. */
  readonly changes: readonly Change[];
  /** Events about its invoices. */
  readonly billing: readonly InvoiceEvent[];
}

const ACCOUNTS_AT_ONCE = 200;
const OF_CREDITS: readonly AccountEvent['type'][] = [
  'CreditsGranted',
  'GrantExpired',
  'GrantVoided',
  'MonthClosed',
];
const OF_INVOICES = Object.keys(INVOICE_EVENTS) as (keyof typeof INVOICE_EVENTS)[];

interface Place {
  readonly lane: number;
  readonly account_id: string;
}

/**
 * Reads the books of all accounts, some at a time. Those of damaged accounts are left out:
 * `refuseDamaged` is asked before.
 */
export class BooksReader {
  constructor(
    private readonly pool: pg.Pool,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
  ) {}

  /** `test`: those of test accounts too. */
  async *all(test: boolean): AsyncGenerator<readonly AccountBooks[]> {
    for await (const ids of this.ids(test)) yield await this.of(ids);
  }

  /** Ids of all accounts, some at a time; `test`: those of test accounts too. */
  async *ids(test: boolean): AsyncGenerator<readonly string[]> {
    let after: Place | undefined = { lane: 0, account_id: SYSTEM_ACCOUNT };
    while (after !== undefined) {
      const places: readonly Place[] = await this.accounts(after, test);
      yield places.map(({ account_id: id }) => id);
      after = places.length < ACCOUNTS_AT_ONCE ? undefined : places.at(-1);
    }
  }

  /** Of these accounts; without those that have none or are damaged. */
  of(ids: readonly string[]): Promise<readonly AccountBooks[]> {
    return withTransaction(this.pool, (client) => this.read(client, ids), 'repeatable read');
  }

  private async accounts({ lane, account_id }: Place, test: boolean): Promise<Place[]> {
    const { rows } = await this.pool.query<Place>({
      name: 'books-accounts',
      text: `select lane, account_id from ledger_account
              where (lane, account_id) > ($1::smallint, $2::uuid)
                and ($3 or not (state ->> 'test')::boolean)
              order by lane, account_id limit ${ACCOUNTS_AT_ONCE}`,
      values: [lane, account_id, test],
    });
    return rows;
  }

  private async read(client: pg.ClientBase, asked: readonly string[]): Promise<AccountBooks[]> {
    const ids = await soundAmong(client, asked);
    const ranges = ids.map((accountId) => ({
      accountId,
      first: 1,
      last: Number.MAX_SAFE_INTEGER,
    }));
    const logged = await readChanges(client, ranges, [...OF_CREDITS, ...OF_INVOICES]);
    const found = ids.filter((id) => (logged.get(id)?.length ?? 0) > 0);
    const { accounts } = await loadAccounts(client, found, false);
    const states = [...accounts].map(([accountId, { state }]) => ({ accountId, state }));
    const customers = await readCustomers(
      client,
      states.map(({ state }) => state),
    );
    const books: AccountBooks[] = [];
    for (const [index, { accountId, state }] of states.entries()) {
      const customer = customers[index] ?? NOBODY;
      const own = await this.booksOf(client, accountId, state, logged.get(accountId) ?? []);
      books.push({ ...own, customer });
    }
    return books;
  }

  private async booksOf(
    client: pg.ClientBase,
    accountId: string,
    stored: AccountState,
    logged: readonly PlacedEvent[],
  ): Promise<Omit<AccountBooks, 'customer'>> {
    const { calendar } = this;
    const at = momentOf(stored, this.clock.now());
    const due = advance(stored, at, calendar);
    const isBuyer = logged.some(({ event }) => isPurchase(event));
    const changes: Change[] = [];
    for (const placed of logged.filter(({ event }) => OF_CREDITS.includes(event.type))) {
      changes.push(isBuyer ? await withLeft(client, placed) : { event: placed.event });
    }
    changes.push(...due.map((event) => ({ event })));
    const state = evolveAll(stored, due);
    const billing = logged.map(({ event }) => event).filter(isOfInvoice);
    return { accountId, present: calendar.monthAt(at).label, state, changes, billing };
  }
}

const NOBODY: Customer = { number: '', name: '', vatId: '' };

/** Customers as they are now, in the order of the states. */
export async function readCustomers(
  client: pg.ClientBase | pg.Pool,
  states: readonly AccountState[],
): Promise<readonly Customer[]> {
  const rows = states.flatMap(({ profile, billing }) => [profile, billing.profile?.id ?? profile]);
  const profiles = await findProfiles(client, rows);
  return states.map(({ profile, billing }) => {
    const { external_id: number = '', name = '' } = profiles.get(profile) ?? {};
    const buyer = profiles.get(billing.profile?.id ?? '')?.buyer;
    return { number, name: buyer?.name ?? name, vatId: buyer?.vat_id ?? '' };
  });
}

function isPurchase(event: AccountEvent): boolean {
  return event.type === 'CreditsGranted' && event.data.kind === 'purchased';
}

/** The books of a damaged account are unknown until its events are repaired. */
async function soundAmong(
  client: pg.ClientBase,
  ids: readonly string[],
): Promise<readonly string[]> {
  const places = ids.map((accountId) => ({ lane: laneOf(accountId), accountId }));
  const damaged = await damagedAccounts(client, LEDGER, places);
  return places.filter((place) => !isDamaged(damaged, place)).map(({ accountId }) => accountId);
}

/** A close of an older version does not say what was left of grants: then it is worked out. */
async function withLeft(client: pg.ClientBase, { stored, event }: PlacedEvent): Promise<Change> {
  if (event.type !== 'MonthClosed' || event.data.grants !== undefined) return { event };
  const { grants } = await stateAfter(client, stored.accountId, stored.accountVersion);
  return { event, left: grants.map(({ ordinal, left }) => [ordinal, left] as const) };
}
