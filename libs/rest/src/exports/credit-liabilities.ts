import type pg from 'pg';
import { advance, evolveAll } from '#account/advance.js';
import type { AccountEvent } from '#account/events.js';
import { momentOf, type AccountState } from '#account/state.js';
import { creditLiability, type GrantLiability } from '#billing/credit-liability.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { withTransaction } from '#database/database.js';
import { damagedAccounts, isDamaged } from '#event-log/damaged-accounts.js';
import { laneOf, SYSTEM_ACCOUNT } from '#event-log/event-log.js';
import { loadAccounts } from '#ledger/loading/account-loader.js';
import { stateAfter } from '#ledger/snapshots/account-snapshots.js';
import { LEDGER } from '#ledger/projections/ledger.projection.js';
import { readChanges, type PlacedEvent } from '#ledger/events/month-events.js';
import { purchasedGrants, type Change } from './purchased-grants.js';

/** Credits owed for one purchased grant of an account, from the month's start to its end. */
export interface Liability extends GrantLiability {
  readonly account_id: string;
  readonly currency: string;
}

const ACCOUNTS_AT_ONCE = 200;
const CHANGES: readonly AccountEvent['type'][] = [
  'CreditsGranted',
  'GrantExpired',
  'GrantVoided',
  'MonthClosed',
];

interface Place {
  readonly lane: number;
  readonly account_id: string;
}

/** Purchased credits owed to all accounts. Closed months never change; others are as of now. */
export class CreditLiabilities {
  constructor(
    private readonly pool: pg.Pool,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
  ) {}

  /** Account by account, some at a time; `test`: those of test accounts too. */
  async *ofMonth(month: string, test: boolean): AsyncGenerator<readonly Liability[]> {
    let after: Place | undefined = { lane: 0, account_id: SYSTEM_ACCOUNT };
    while (after !== undefined) {
      const places: readonly Place[] = await this.accounts(after, test);
      const ids = places.map(({ account_id: id }) => id);
      yield await withTransaction(
        this.pool,
        (client) => this.read(client, ids, month),
        'repeatable read',
      );
      after = places.length < ACCOUNTS_AT_ONCE ? undefined : places.at(-1);
    }
  }

  private async accounts({ lane, account_id }: Place, test: boolean): Promise<Place[]> {
    const { rows } = await this.pool.query<Place>({
      name: 'liability-accounts',
      text: `select lane, account_id from ledger_account
              where (lane, account_id) > ($1::smallint, $2::uuid)
                and ($3 or not (state ->> 'test')::boolean)
              order by lane, account_id limit ${ACCOUNTS_AT_ONCE}`,
      values: [lane, account_id, test],
    });
    return rows;
  }

  private async read(
    client: pg.ClientBase,
    asked: readonly string[],
    month: string,
  ): Promise<Liability[]> {
    const ids = await soundAmong(client, asked);
    const ranges = ids.map((accountId) => ({
      accountId,
      first: 1,
      last: Number.MAX_SAFE_INTEGER,
    }));
    const changes = await readChanges(client, ranges, CHANGES);
    const buyers = ids.filter((id) => changes.get(id)?.some(isPurchase));
    const { accounts } = await loadAccounts(client, buyers, false);
    const found: Liability[] = [];
    for (const [accountId, { state }] of accounts) {
      const logged = changes.get(accountId) ?? [];
      found.push(...(await this.liabilities(client, accountId, state, logged, month)));
    }
    return found;
  }

  private async liabilities(
    client: pg.ClientBase,
    account_id: string,
    stored: AccountState,
    logged: readonly PlacedEvent[],
    month: string,
  ): Promise<Liability[]> {
    const { calendar } = this;
    const at = momentOf(stored, this.clock.now());
    if (calendar.monthAt(at).label < month) return [];
    const due = advance(stored, at, calendar);
    const state = evolveAll(stored, due);
    const changes: Change[] = [];
    for (const placed of logged) changes.push(await withLeft(client, placed));
    changes.push(...due.map((event) => ({ event })));
    const grants = purchasedGrants(month, changes, state, calendar);
    const { currency } = state;
    return creditLiability(grants)
      .filter(({ opening, sold }) => opening.credits > 0 || sold.credits > 0)
      .map((liability) => ({ account_id, currency, ...liability }));
  }
}

/** The liability of a damaged account is unknown until its events are repaired. */
async function soundAmong(
  client: pg.ClientBase,
  ids: readonly string[],
): Promise<readonly string[]> {
  const places = ids.map((accountId) => ({ lane: laneOf(accountId), accountId }));
  const damaged = await damagedAccounts(client, LEDGER, places);
  return places.filter((place) => !isDamaged(damaged, place)).map(({ accountId }) => accountId);
}

function isPurchase({ event }: PlacedEvent): boolean {
  return event.type === 'CreditsGranted' && event.data.kind === 'purchased';
}

/** A close of an older version does not say what was left of grants: then it is worked out. */
async function withLeft(client: pg.ClientBase, { stored, event }: PlacedEvent): Promise<Change> {
  if (event.type !== 'MonthClosed' || event.data.grants !== undefined) return { event };
  const { grants } = await stateAfter(client, stored.accountId, stored.accountVersion);
  return { event, left: grants.map(({ ordinal, left }) => [ordinal, left] as const) };
}
