import type pg from 'pg';
import type { AccountState } from '#account/state.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { formatInstant, formatMoment } from '#calendar/instant.js';
import { withTransaction } from '#database/database.js';
import { ACCOUNT_LANES, laneOf, type StoredEvent } from '#event-log/event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import { loadAccounts } from './account-loader.js';
import type { AccountReads, AccountView, CallExplanation, CallFilter } from './account-reads.js';
import type { CallView, EventView, Page, WindowKeyView } from './account-reads.js';
import { accountView, present } from './account-view.js';
import { explainCall } from './call-explanation.js';
import { callView } from './call-view.js';
import { callsQuery } from './calls-query.js';
import { decodeCursor, decodeNumberCursor, encodeCursor } from './cursor.js';
import { findProfiles } from './profiles.js';
import { readWindowCredits, readWindowKeys } from './window-keys.js';

/** A page of at most `limit`, made from one row more than that. */
function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  view: (row: Row) => Item,
  place: (row: Row) => string | number,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { items: shown.map(view), next: last === undefined ? null : encodeCursor(place(last)) };
}

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

/** Answers from projected rows and the log's tail in one snapshot: always as of now. */
export class PostgresAccountReads implements AccountReads {
  constructor(
    private readonly pool: pg.Pool,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
  ) {}

  async account(accountId: string): Promise<AccountView | undefined> {
    return this.inSnapshot(accountId, async (client, { state, at }) => {
      const { label } = this.calendar.windowAt(at);
      const credits = await readWindowCredits(client, accountId, label);
      const profiles = await findProfiles(client, [state.profile]);
      const name = profiles.get(state.profile)?.name ?? null;
      return accountView(accountId, name, state, at, this.calendar, credits);
    });
  }

  async windows(
    accountId: string,
    window: string | null,
    after: string | null,
    limit: number,
  ): Promise<Page<WindowKeyView> | undefined> {
    return this.inSnapshot(accountId, async (client, { at }) => {
      const label = window ?? this.calendar.windowAt(at).label;
      const endsAt = this.calendar.windowOf(label)?.endsAt ?? 0;
      const from = after === null ? '' : decodeCursor(after);
      const keys = await readWindowKeys(client, accountId, label, from, limit + 1);
      return pageOf(
        keys,
        limit,
        (key) => ({
          key: key.key,
          window: label,
          first_call_at: formatMoment(key.firstCallAt),
          calls: key.calls,
          credits_used: key.creditsUsed,
          window_ends_at: formatInstant(endsAt),
        }),
        ({ key }) => key,
      );
    });
  }

  async calls(accountId: string, filter: CallFilter): Promise<Page<CallView> | undefined> {
    return this.inSnapshot(accountId, async (client, { state }) => {
      const ordinal = state.apiKeys.findIndex(({ id }) => id === filter.apiKeyId) + 1;
      if (filter.apiKeyId !== null && ordinal === 0) return { items: [], next: null };
      const query = callsQuery(laneOf(accountId), accountId, filter, ordinal || null);
      const { rows } = await client.query<EventRow>(query.text, [...query.values]);
      return pageOf(
        rows.map(toStoredEvent),
        filter.limit,
        (row) => callView(row, state),
        (row) => row.accountVersion,
      );
    });
  }

  async call(accountId: string | null, callId: string): Promise<CallExplanation | undefined> {
    const stored = await this.findCall(accountId, callId);
    if (stored === undefined) return undefined;
    return this.inSnapshot(stored.accountId, (client, { state }) =>
      explainCall(client, stored, state, this.calendar),
    );
  }

  async events(
    accountId: string,
    after: string | null,
    limit: number,
  ): Promise<Page<EventView> | undefined> {
    return this.inSnapshot(accountId, async (client) => {
      const version = after === null ? 0 : decodeNumberCursor(after);
      const { rows } = await client.query<EventRow>({
        name: 'account-events',
        text: `select ${EVENT_COLUMNS} from event e
                where e.lane = $1 and e.account_id = $2 and e.account_version > $3
                order by e.account_version limit $4`,
        values: [laneOf(accountId), accountId, version, limit + 1],
      });
      return pageOf(rows.map(toStoredEvent), limit, eventView, (row) => row.accountVersion);
    });
  }

  /** The lane is known by the account; without one, all lanes are asked by their index. */
  private async findCall(
    accountId: string | null,
    callId: string,
  ): Promise<StoredEvent | undefined> {
    const lanes =
      accountId === null
        ? Array.from({ length: ACCOUNT_LANES }, (_, index) => index + 1)
        : [laneOf(accountId)];
    const { rows } = await this.pool.query<EventRow>({
      name: 'find-call',
      text: `select ${EVENT_COLUMNS} from event e
              where e.lane = any($1::smallint[]) and e.call_id = $2 and e.type = 'CallMade'`,
      values: [lanes, callId],
    });
    const stored = rows.map(toStoredEvent);
    return stored.find((row) => accountId === null || row.accountId === accountId);
  }

  /** Undefined when the account was never opened. */
  private async inSnapshot<Result>(
    accountId: string,
    read: (
      client: pg.ClientBase,
      account: { readonly state: AccountState; readonly at: number },
    ) => Promise<Result>,
  ): Promise<Result | undefined> {
    return withTransaction(
      this.pool,
      async (client) => {
        const { accounts } = await loadAccounts(client, [accountId], false);
        const account = accounts.get(accountId);
        if (account === undefined || account.state.version === 0) return undefined;
        return read(client, present(account.state, this.clock.now()));
      },
      'repeatable read',
    );
  }
}
