import type pg from 'pg';
import type { ChargedCall } from '#reconciliation/matching.js';
import { chargedCalls, chargedCallsOf } from '../usage/charged-calls.js';
import { advance, evolveAll } from '#account/advance.js';
import { type AccountState, momentOf } from '#account/state.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { formatInstant, formatMoment } from '#calendar/instant.js';
import type { Window } from '#calendar/window.js';
import { withTransaction } from '#database/database.js';
import { laneOf, type StoredEvent } from '#event-log/event-log.js';
import { findCall } from '../events/find-call.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import { versionAt, type AccountHistory } from '../usage/account-history.js';
import { loadAccounts } from '../loading/account-loader.js';
import { PresentAccounts } from './present-accounts.js';
import { BadMomentError } from '#web/read-errors.js';
import type { AccountReads, AccountView } from '../views/account-reads.js';
import type { KeyedAccount, KeyedReads } from '../views/keyed-account.js';
import type { Batches, CallExplanation, CallFilter, CallView } from '../views/account-reads.js';
import type { OutlookView } from '../views/outlook-view.js';
import type { EventView, GrantCallView, Page, UsageFilter } from '../views/account-reads.js';
import type { UsageView, WindowFilter, WindowKeyView } from '../views/account-reads.js';
import { stateAfter } from '../snapshots/account-snapshots.js';
import { accountView, present } from './account-view.js';
import { outlookView } from './outlook-view.js';
import { NO_CARDS, type CardSource } from './known-cards.js';
import { explainCall } from './call-explanation.js';
import { findCallList, findGrant, readAllCalls, readCallPage } from '../usage/call-list.js';
import { readApiKeyIds } from '../usage/api-keys.js';
import { callView, grantCallView } from '../usage/call-view.js';
import { decodeNumberCursor, encodeCursor } from '#web/cursor.js';
import { comparisonFor, pageOf } from '../views/pages.js';
import { findProfiles } from '../texts/profiles.js';
import { readable } from '../texts/readable.js';
import { readUsage } from '../usage/usage-read.js';
import { placeOf, readPlace, readWindowKeys, type CalledKey } from '../usage/window-keys.js';

function eventView(stored: StoredEvent): EventView {
  return {
    lane: stored.lane,
    position: stored.position,
    account_version: stored.accountVersion,
    type: stored.type,
    at: formatMoment(stored.at),
    call_id: stored.callId,
    data: JSON.parse(stored.data) as Record<string, unknown>,
  };
}

function windowKeyView({ key, firstCallAt, ...sums }: CalledKey, window: Window): WindowKeyView {
  return {
    key,
    window: window.label,
    first_call_at: formatMoment(firstCallAt),
    calls: sums.calls,
    credits_used: sums.creditsUsed,
    window_ends_at: formatInstant(window.endsAt),
  };
}

/** Answers from projected rows and the log's tail in one snapshot: always as of now. */
export class PostgresAccountReads implements AccountReads, KeyedReads {
  private readonly present: PresentAccounts;

  constructor(
    private readonly pool: pg.Pool,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
    private readonly cards: CardSource = NO_CARDS,
  ) {
    this.present = new PresentAccounts(pool, calendar, clock, cards);
  }

  async account(accountId: string, asOf: number | null = null): Promise<AccountView | undefined> {
    if (asOf === null) return this.present.account(accountId);
    return this.inSnapshot(accountId, asOf, async (client, { state, at }) => {
      const profiles = await findProfiles(client, [state.profile]);
      const cards = await this.cards(asOf);
      const profile = profiles.get(state.profile);
      return accountView(accountId, profile, state, at, { calendar: this.calendar, cards });
    });
  }

  accountAndKey(accountId: string, keyId: string): Promise<KeyedAccount | undefined> {
    return this.present.accountAndKey(accountId, keyId);
  }

  async outlook(accountId: string): Promise<OutlookView | undefined> {
    const terms = { calendar: this.calendar, cards: await this.cards() };
    return this.inSnapshot(accountId, null, async (_, { state, at }) =>
      outlookView(state, at, terms),
    );
  }

  async windows(
    accountId: string,
    { window, after, limit, asOf, order = 'key' }: WindowFilter,
  ): Promise<Page<WindowKeyView> | undefined> {
    return this.inSnapshot(accountId, asOf, async (client, { history, at }) => {
      const named = window === null ? undefined : this.calendar.windowOf(window);
      const asked = named ?? this.calendar.windowAt(at);
      const page = { order, after: readPlace(order, after), limit: limit + 1 };
      const keys = await readWindowKeys(client, history, asked, page, asOf);
      const view = (key: CalledKey): WindowKeyView => windowKeyView(key, asked);
      return pageOf(keys, limit, view, (key) => placeOf(order, key));
    });
  }

  async usage(accountId: string, filter: UsageFilter): Promise<Page<UsageView> | undefined> {
    return this.inSnapshot(accountId, filter.asOf, (client, { history, state, at }) =>
      readUsage(client, history, state, at, filter, this.calendar),
    );
  }

  async calls(accountId: string, filter: CallFilter): Promise<Page<CallView> | undefined> {
    return this.inSnapshot(accountId, null, async (client, { history, state }) => {
      const keys = await readApiKeyIds(client, accountId, state);
      const list = await findCallList(client, history, keys, filter, null);
      return readCallPage(client, list, filter, callView(keys));
    });
  }

  async everyCall(accountId: string, filter: CallFilter): Promise<Batches<CallView> | undefined> {
    return this.inSnapshot(accountId, null, async (client, { history, state }) => {
      const keys = await readApiKeyIds(client, accountId, state);
      const list = await findCallList(client, history, keys, filter, null);
      return readAllCalls(this.pool, list, filter, callView(keys));
    });
  }

  chargedCalls(accountId: string, from: number, to: number): Batches<ChargedCall> {
    return chargedCalls(this.pool, accountId, from, to);
  }

  chargedCallsOf(accountId: string, callIds: readonly string[]): Promise<readonly ChargedCall[]> {
    return chargedCallsOf(this.pool, accountId, callIds);
  }

  async grantCalls(
    accountId: string,
    grantId: string,
    filter: CallFilter,
  ): Promise<Page<GrantCallView> | undefined> {
    return this.inSnapshot(accountId, null, async (client, { history, state }) => {
      const grant = await findGrant(client, history, grantId);
      if (grant === undefined) return undefined;
      const keys = await readApiKeyIds(client, accountId, state);
      const list = await findCallList(client, history, keys, filter, grant);
      return readCallPage(client, list, filter, grantCallView(keys, grant));
    });
  }

  async everyGrantCall(
    accountId: string,
    grantId: string,
    filter: CallFilter,
  ): Promise<Batches<GrantCallView> | undefined> {
    return this.inSnapshot(accountId, null, async (client, { history, state }) => {
      const grant = await findGrant(client, history, grantId);
      if (grant === undefined) return undefined;
      const keys = await readApiKeyIds(client, accountId, state);
      const list = await findCallList(client, history, keys, filter, grant);
      return readAllCalls(this.pool, list, filter, grantCallView(keys, grant));
    });
  }

  async call(accountId: string | null, callId: string): Promise<CallExplanation | undefined> {
    const found = await findCall(this.pool, accountId, callId);
    const [stored] = await readable(this.pool, found === undefined ? [] : [found]);
    if (stored === undefined) return undefined;
    return this.inSnapshot(stored.accountId, null, (client, { state }) =>
      explainCall(client, stored, state, this.calendar),
    );
  }

  async events(
    accountId: string,
    after: string | null,
    limit: number,
    order: 'asc' | 'desc' = 'asc',
  ): Promise<Page<EventView> | undefined> {
    return this.inSnapshot(accountId, null, async (client) => {
      const version = after === null ? null : decodeNumberCursor(after);
      const { rows } = await client.query<EventRow>({
        name: `account-events-${order}`,
        text: `select ${EVENT_COLUMNS} from event e
                where e.lane = $1 and e.account_id = $2 
                  and ($3::bigint is null or e.account_version ${comparisonFor(order)} $3)
                order by e.account_version ${order} limit $4`,
        values: [laneOf(accountId), accountId, version, limit + 1],
      });
      const events = await readable(client, rows.map(toStoredEvent));
      return pageOf(events, limit, eventView, ({ accountVersion }) => encodeCursor(accountVersion));
    });
  }

  /**
   * Undefined when the account was never opened. `asOf`: the account as it was at that moment, by
   * the same functions that make its present. Throws BadMomentError.
   */
  private async inSnapshot<Result>(
    accountId: string,
    asOf: number | null,
    read: (client: pg.ClientBase, account: PresentAccount) => Promise<Result>,
  ): Promise<Result | undefined> {
    return withTransaction(
      this.pool,
      async (client) => {
        const { accounts } = await loadAccounts(client, [accountId], false);
        const newest = accounts.get(accountId)?.state;
        if (newest === undefined || newest.version === 0) return undefined;
        const history = { accountId, version: newest.version };
        const now = momentOf(newest, this.clock.now());
        if (asOf === null) {
          return read(client, { history, ...present(newest, now, this.calendar) });
        }
        checkMoment(asOf, newest, now);
        const version = await versionAt(client, history, asOf);
        const past = await stateAfter(client, accountId, version);
        const state = evolveAll(past, advance(past, asOf, this.calendar));
        return read(client, { history, state, at: asOf });
      },
      'repeatable read',
    );
  }
}

/** An account with all that has fallen due, at a moment of its own clock. */
interface PresentAccount {
  /** All of it that is in the log by now. */
  readonly history: AccountHistory;
  readonly state: AccountState;
  readonly at: number;
}

function checkMoment(asOf: number, { openedAt }: AccountState, now: number): void {
  if (asOf < openedAt) {
    throw new BadMomentError(asOf, `The account was opened at ${formatMoment(openedAt)}`);
  }
  if (asOf > now) {
    throw new BadMomentError(asOf, `The account has not come there: it is ${formatMoment(now)}`);
  }
}
