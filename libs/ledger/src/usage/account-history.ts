import type pg from 'pg';
import { laneOf } from '#event-log/event-log.js';
import { WINDOWS, WINDOWS_VERSION } from '../projections/windows.projection.js';

/** Events of an account by their versions: those after the first, up to and with the second. */
export interface Stretch {
  readonly after: number;
  readonly upTo: number;
}

/** An account in the snapshot of the transaction under way. */
export interface AccountHistory {
  readonly accountId: string;
  /** How many events it has. */
  readonly version: number;
}

/** How many of an account's events had happened at a moment (inclusive, ms since 1970). */
export async function versionAt(
  client: pg.ClientBase,
  history: AccountHistory,
  moment: number,
): Promise<number> {
  return lastVersion(client, history, 'e.at <= to_timestamp($4::bigint / 1000.0)', moment);
}

/**
 * How many of an account's events the rows of the windows projection hold. Rows of another version
 * hold none: what they say is no answer. Where the projection has left a damaged account, the
 * checkpoint goes on and its rows do not.
 */
export async function projectedVersion(
  client: pg.ClientBase,
  history: AccountHistory,
): Promise<number> {
  const { rows } = await client.query<{ position: number; end: number; damaged: number | null }>({
    name: 'windows-checkpoint',
    text: `select coalesce(c.position, 0) as position, l.position as end, d.version as damaged
             from lane l left join checkpoint c
               on c.projection = '${WINDOWS}' and c.version = ${WINDOWS_VERSION} and c.lane = l.lane
             left join damaged_account d
               on d.projection = '${WINDOWS}' and d.lane = l.lane and d.account_id = $2
            where l.lane = $1`,
    values: [laneOf(history.accountId), history.accountId],
  });
  const { position = 0, end = 0, damaged = null } = rows[0] ?? {};
  if (damaged !== null) return Math.min(damaged - 1, history.version);
  if (position >= end) return history.version;
  return lastVersion(client, history, 'e.position <= $4', position);
}

/**
 * An account's events are ordered by moment and by position as they are by version, so the last one
 * up to a bound is found by halving: some twenty rows are looked at, whatever their number.
 */
async function lastVersion(
  client: pg.ClientBase,
  { accountId, version }: AccountHistory,
  isUpTo: string,
  bound: number,
): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    `with recursive search (low, high) as (
       select 0::bigint, $3::bigint
       union all
       select case when ${isUpTo} then middle else low end,
              case when ${isUpTo} then high else middle - 1 end
         from search
        cross join lateral (select (low + high + 1) / 2 as middle) half
         join event e on e.lane = $1 and e.account_id = $2 and e.account_version = middle
        where low < high
     )
     select low as version from search where low = high`,
    [laneOf(accountId), accountId, version, bound],
  );
  const [found] = rows;
  if (found === undefined) throw new Error(`Account ${accountId} has a gap among its events.`);
  return found.version;
}
