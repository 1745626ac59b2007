import type pg from 'pg';
import { laneOf } from '#event-log/event-log.js';

/** How far back calls are looked through: the log has no index by API key. */
const EVENTS_MAX = 10_000;

/** Moment (ms since 1970) of each API key's latest call among an account's latest events, by ordinal. */
export async function readKeyUses(
  pool: pg.Pool,
  accountId: string,
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await pool.query<{ key: number; at: number }>({
    name: 'key-uses',
    text: `select (data ->> 'api_key')::int as key, (extract(epoch from max(at)) * 1000)::bigint as at
             from (select at, type, data from event where lane = $1 and account_id = $2
                    order by account_version desc limit ${EVENTS_MAX}) latest
            where type = 'CallMade' group by 1`,
    values: [laneOf(accountId), accountId],
  });
  return new Map(rows.map(({ key, at }) => [key, at]));
}
