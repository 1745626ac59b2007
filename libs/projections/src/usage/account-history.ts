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

/**
 * How many of an account's events had happened at a moment (inclusive, ms since 1970). They are
 * ordered by moment as they are by version, so the last one is found by halving: some twenty rows
 * are looked at, whatever their number.
 */
export async function versionAt(
  client: pg.ClientBase,
  { accountId, version }: AccountHistory,
  moment: number,
): Promise<number> {
  const { rows } = await client.query<{ version: number }>({
    name: 'version-at',
    text: `with recursive search (low, high) as (
             select 0::bigint, $3::bigint
             union all
             select case when e.at <= to_timestamp($4::bigint / 1000.0) then middle else low end,
                    case when e.at <= to_timestamp($4::bigint / 1000.0) then high else middle - 1 end
               from search
              cross join lateral (select (low + high + 1) / 2 as middle) half
               join event e on e.lane = $1 and e.account_id = $2 and e.account_version = middle
              where low < high
           )
           select low as version from search where low = high`,
    values: [laneOf(accountId), accountId, version, moment],
  });
  const [found] = rows;
  if (found === undefined) throw new Error(`Account ${accountId} has a gap among its events.`);
  return found.version;
}

/**
 * How many of an account's events the rows of the windows projection hold. Rows of another version
 * hold none: what they say is no answer.
 */
export async function projectedVersion(
  client: pg.ClientBase,
  history: AccountHistory,
): Promise<number> {
  const { rows } = await client.query<{ version: number }>({
    name: 'usage-projected',
    text: `select u.version from usage_reached u join checkpoint c
               on c.projection = '${WINDOWS}' and c.version = ${WINDOWS_VERSION} and c.lane = u.lane
            where u.lane = $1 and u.account_id = $2`,
    values: [laneOf(history.accountId), history.accountId],
  });
  return Math.min(rows[0]?.version ?? 0, history.version);
}
