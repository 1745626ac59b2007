import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import { withTransaction } from '#database/database.js';
import { laneOf } from '#event-log/event-log.js';
import { sumsOfDay } from '../projections/sums-of-day.js';
import { projectedVersion, versionAt, type AccountHistory } from './account-history.js';

interface KeyUse {
  /** Ordinal of the API key in its account. */
  readonly key: number;
  /** Ms since 1970. */
  readonly at: number;
}

/**
 * Moment (ms since 1970) of each API key's latest call, by ordinal; keys that never called are left
 * out. `history`: the account at a version that it has reached. The log has no index by API key:
 * the rows of usage say on which day a key called last, and only that day's calls are looked
 * through.
 */
export function readKeyUses(
  pool: pg.Pool,
  history: AccountHistory,
  calendar: Calendar,
): Promise<ReadonlyMap<number, number>> {
  return withTransaction(
    pool,
    async (client) => {
      const projected = await projectedVersion(client, history);
      const uses = await usesAfter(client, history, projected);
      if (projected === 0) return uses;
      for (const [day, keys] of await lastDays(client, history, uses)) {
        const { startsAt, endsAt } = calendar.dayAt(calendar.startOfDate(day));
        const after = await versionAt(client, history, startsAt - 1);
        const upTo = await versionAt(client, history, endsAt - 1);
        for (const { key, at } of await usesWithin(client, history, keys, after, upTo)) {
          uses.set(key, at);
        }
      }
      return uses;
    },
    'repeatable read',
  );
}

/** Of what no row of usage holds yet. */
async function usesAfter(
  client: pg.ClientBase,
  { accountId }: AccountHistory,
  version: number,
): Promise<Map<number, number>> {
  const { rows } = await client.query<KeyUse>({
    name: 'key-uses-after',
    text: `select (data ->> 'api_key')::int as key, (extract(epoch from max(at)) * 1000)::bigint as at
             from event
            where lane = $1 and account_id = $2 and account_version > $3 and type = 'CallMade'
            group by 1`,
    values: [laneOf(accountId), accountId, version],
  });
  return new Map(rows.map(({ key, at }) => [key, at]));
}

/** The newest day of each key that is not known yet, and which keys that are. */
async function lastDays(
  client: pg.ClientBase,
  { accountId }: AccountHistory,
  known: ReadonlyMap<number, number>,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { rows } = await client.query<{ day: string; keys: number[] }>({
    name: 'key-last-days',
    text: `select day, array_agg(api_key) as keys
             from (select u.api_key, max(d.day) as day
                     from day_usage d ${sumsOfDay('api_key')}
                    where d.lane = $1 and d.account_id = $2 and u.api_key <> all ($3::bigint[])
                    group by u.api_key) last
            group by day`,
    values: [laneOf(accountId), accountId, [...known.keys()]],
  });
  return new Map(rows.map(({ day, keys }) => [day, keys.map(Number)]));
}

/** Goes back from the end of the stretch, for each key until its first call is met. */
async function usesWithin(
  client: pg.ClientBase,
  { accountId }: AccountHistory,
  keys: readonly number[],
  after: number,
  upTo: number,
): Promise<readonly KeyUse[]> {
  const { rows } = await client.query<KeyUse>({
    name: 'key-uses-within',
    text: `select k.key::int as key, (extract(epoch from last.at) * 1000)::bigint as at
             from unnest($3::int[]) as k (key)
            cross join lateral (
              select at from event
               where lane = $1 and account_id = $2 and account_version > $4
                 and account_version <= $5 and type = 'CallMade'
                 and (data ->> 'api_key')::int = k.key
               order by account_version desc limit 1) last`,
    values: [laneOf(accountId), accountId, keys, after, upTo],
  });
  return rows;
}
