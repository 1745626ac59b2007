import type pg from 'pg';
import type { Window } from '#calendar/window.js';
import { laneOf } from '#event-log/event-log.js';
import {
  projectedVersion,
  versionAt,
  type AccountHistory,
  type Stretch,
} from './account-history.js';
import { callsIn } from './usage-query.js';

/** What an account did with one key in one window. `firstCallAt` in ms since 1970. */
export interface CalledKey {
  readonly key: string;
  readonly firstCallAt: number;
  readonly calls: number;
  readonly creditsUsed: number;
}

/**
 * Keys of an account in a window after a key, in their order, at most `limit`, in the snapshot of the
 * transaction under way: rows, and what the log holds after them. As of a moment inside the window
 * (ms since 1970) it is the log alone that knows.
 */
export async function readWindowKeys(
  client: pg.ClientBase,
  history: AccountHistory,
  window: Window,
  page: { readonly after: string; readonly limit: number },
  asOf: number | null,
): Promise<readonly CalledKey[]> {
  const isOver = asOf === null || asOf >= window.endsAt;
  if (isOver) {
    const projected = await projectedVersion(client, history);
    const rest = { after: projected, upTo: history.version };
    return query(client, history.accountId, window.label, page, projected > 0, rest);
  }
  const stretch = {
    after: await versionAt(client, history, window.startsAt - 1),
    upTo: await versionAt(client, history, asOf),
  };
  return query(client, history.accountId, window.label, page, false, stretch);
}

/** The rows of a page hold all of its keys that have rows, whatever the log adds to them. */
const ROWS = `(select k.key, k.first_call_at as at, k.calls, k.credits_used as credits
                 from window_key k
                where k.lane = $1 and k.account_id = $2 and k.window_label = $3 and k.key > $4
                order by k.key limit $5) union all`;

async function query(
  client: pg.ClientBase,
  accountId: string,
  label: string,
  { after, limit }: { readonly after: string; readonly limit: number },
  withRows: boolean,
  stretch: Stretch,
): Promise<readonly CalledKey[]> {
  const values: unknown[] = [laneOf(accountId), accountId, label, after, limit];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const { rows } = await client.query<CalledKey>(
    `select key, (extract(epoch from min(at)) * 1000)::bigint as "firstCallAt",
            sum(calls)::bigint as calls, sum(credits)::bigint as "creditsUsed"
       from (${withRows ? ROWS : ''}
             select c.key collate "C", e.at, 1,
                    (c.cost ->> 0)::bigint + (c.cost ->> 1)::bigint
               from ${callsIn([stretch], bind)}
              cross join lateral json_to_record(e.data) as c (key text, "window" text, cost json)
              where coalesce(c."window", split_part(c.key, '/', 3)) = $3
                and c.key collate "C" > $4) as called (key, at, calls, credits)
      group by key order by key limit $5`,
    values,
  );
  return rows;
}
