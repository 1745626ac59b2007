import type pg from 'pg';
import type { Window } from '#calendar/window.js';
import { laneOf } from '#event-log/event-log.js';
import {
  projectedVersion,
  versionAt,
  type AccountHistory,
  type Stretch,
} from './account-history.js';
import { BadCursorError } from '#web/read-errors.js';
import { type WindowOrder } from '../views/account-reads.js';
import { decodeCursor, decodePlace, encodeCursor, encodePlace } from '#web/cursor.js';
import { WINDOW_OF_CALL } from '../projections/key-columns.js';
import { callsIn } from './usage-query.js';

/** Use of one key by an account in one window. `firstCallAt` in ms since 1970. */
export interface CalledKey {
  readonly key: string;
  readonly firstCallAt: number;
  readonly calls: number;
  readonly creditsUsed: number;
}

/** A place in the list of keys. `credits`: of the key, where the dearest are first. */
export interface KeyPlace {
  readonly key: string;
  readonly credits: number | null;
}

/** A page of the list: the keys behind a place, in this order. */
export interface KeyPage {
  readonly order: WindowOrder;
  readonly after: KeyPlace;
  readonly limit: number;
}

const DEAREST = 'window keys by credits';

/** The cursor that names a key's place. */
export function placeOf(order: WindowOrder, { key, creditsUsed }: CalledKey): string {
  return order === 'key' ? encodeCursor(key) : encodePlace(DEAREST, [String(creditsUsed), key]);
}

/** Reads a cursor of `placeOf`; null: before the first. Throws BadCursorError. */
export function readPlace(order: WindowOrder, cursor: string | null): KeyPlace {
  if (cursor === null) return { key: '', credits: null };
  if (order === 'key') {
    const key = decodeCursor(cursor);
    // One of another list would end this one without a word.
    if (!key.startsWith('/')) throw new BadCursorError(cursor);
    return { key, credits: null };
  }
  const [credits = '', key = ''] = decodePlace(DEAREST, 2, cursor);
  if (!/^\d{1,15}$/.test(credits)) throw new BadCursorError(cursor);
  return { key, credits: Number(credits) };
}

/**
 * Keys of an account in a window, a page of them, in the snapshot of the transaction under way:
 * rows, and what the log holds after them. As of a moment inside the window (ms since 1970) it is
 * the log alone that knows.
 */
export async function readWindowKeys(
  client: pg.ClientBase,
  history: AccountHistory,
  window: Window,
  page: KeyPage,
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

/** The rows of a page by key hold all of its keys that have rows, whatever the log adds to them. */
function rowsOf(order: WindowOrder): string {
  const [sums, page] =
    order === 'key'
      ? [
          'min(k.at), sum(k.calls)::bigint, sum(k.credits)::bigint',
          'and k.key > $4 group by k.key order by k.key limit $5',
        ]
      : ['k.at, k.calls, k.credits', ''];
  return `(select k.key, ${sums}
             from window_part w
            cross join lateral unnest(w.keys, w.first_call_at, w.calls, w.credits_used)
                    as k (key, at, calls, credits)
            where w.lane = $1 and w.account_id = $2 and w.window_label = $3 ${page}) union all`;
}

async function query(
  client: pg.ClientBase,
  accountId: string,
  label: string,
  { order, after, limit }: KeyPage,
  withRows: boolean,
  stretch: Stretch,
): Promise<readonly CalledKey[]> {
  const values: unknown[] = [laneOf(accountId), accountId, label, after.key, limit];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const sum = 'sum(credits)::bigint';
  const behind =
    order === 'key'
      ? 'key > $4'
      : `${bind(after.credits)}::bigint is null or (-${sum}, key) > (-$6::bigint, $4)`;
  const { rows } = await client.query<CalledKey>(
    `select key, (extract(epoch from min(at)) * 1000)::bigint as "firstCallAt",
            sum(calls)::bigint as calls, ${sum} as "creditsUsed"
       from (${withRows ? rowsOf(order) : ''}
             select c.key collate "C", e.at, 1,
                    (c.cost ->> 0)::bigint + (c.cost ->> 1)::bigint
               from ${callsIn([stretch], '$1', '$2', bind)}
              cross join lateral json_to_record(e.data) as c (key text, "window" text, cost json)
              where ${WINDOW_OF_CALL} = $3)
            as called (key, at, calls, credits)
      group by key having ${behind}
      order by ${order === 'key' ? '' : `${sum} desc,`} key limit $5`,
    values,
  );
  return rows;
}
