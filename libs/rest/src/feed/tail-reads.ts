import type pg from 'pg';
import type { CallMade } from '#account/calls.js';
import type { AccountState } from '#account/state.js';
import { laneOf, type StoredEvent } from '#event-log/event-log.js';
import { readApiKeyIds, type ApiKeyIds } from '#projections/usage/api-keys.js';
import { readable } from '#projections/texts/readable.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import { queryAnsweringFor } from '#event-log/query-answering.js';

/** The version of an account up to which its events have been sent. */
export interface SentVersion {
  readonly accountId: string;
  readonly version: number;
}

/**
 * The newest events of accounts, all of them in one look at the log. While a lane does not answer,
 * there is nothing new of its accounts.
 */
export class TailReads {
  constructor(private readonly pool: pg.Pool) {}

  /** The version that an account is at. */
  async version(accountId: string): Promise<number> {
    const { rows } = await this.pool.query<{ version: number }>({
      name: 'feed-version',
      text: `select coalesce(max(account_version), 0)::int8 as version from event
              where lane = $1 and account_id = $2`,
      values: [laneOf(accountId), accountId],
    });
    return rows[0]?.version ?? 0;
  }

  /** Accounts that have no event of the version that was sent: the log came back older. */
  async beyond(sent: readonly SentVersion[]): Promise<string[]> {
    const { rows } = await queryAnsweringFor<{ account_id: string }, SentVersion>(
      this.pool,
      sent,
      ({ accountId }) => laneOf(accountId),
      (own) => ({
        name: 'feed-beyond',
        text: `select account_id
               from unnest($1::smallint[], $2::uuid[], $3::int8[])
                    as sent (lane, account_id, version)
              where version > 0 and not exists (
                    select from event e
                     where e.lane = sent.lane and e.account_id = sent.account_id
                       and e.account_version = sent.version)`,
        values: [
          own.map(({ accountId }) => laneOf(accountId)),
          own.map(({ accountId }) => accountId),
          own.map(({ version }) => version),
        ],
      }),
    );
    return rows.map(({ account_id: id }) => id);
  }

  /** Events behind these versions, by account in their order, at most `limit` of each. */
  async after(
    sent: readonly SentVersion[],
    limit: number,
  ): Promise<ReadonlyMap<string, StoredEvent[]>> {
    const { rows } = await queryAnsweringFor<EventRow, SentVersion>(
      this.pool,
      sent,
      ({ accountId }) => laneOf(accountId),
      (own) => ({
        name: 'feed-tails',
        text: `select ${EVENT_COLUMNS}
               from unnest($1::smallint[], $2::uuid[], $3::int8[])
                    as wanted (lane, account_id, version)
              cross join lateral (
                select * from event
                 where lane = wanted.lane and account_id = wanted.account_id
                   and account_version > wanted.version
                 order by account_version limit $4) e
              order by e.account_id, e.account_version`,
        values: [
          own.map(({ accountId }) => laneOf(accountId)),
          own.map(({ accountId }) => accountId),
          own.map(({ version }) => version),
          limit,
        ],
      }),
    );
    const events = new Map<string, StoredEvent[]>(sent.map(({ accountId }) => [accountId, []]));
    for (const event of await readable(this.pool, rows.map(toStoredEvent)))
      events.get(event.accountId)?.push(event);
    return events;
  }

  /** Ids of the API keys that calls among events were made with. */
  async apiKeys(
    accountId: string,
    state: AccountState,
    events: readonly StoredEvent[],
  ): Promise<ApiKeyIds> {
    const calls = events.filter(({ type }) => type === 'CallMade');
    const ordinals = calls.map(({ data }) => (JSON.parse(data) as CallMade).api_key);
    return readApiKeyIds(this.pool, accountId, state, ordinals);
  }
}
