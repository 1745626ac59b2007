import type pg from 'pg';
import { laneOf, type StoredEvent } from '#event-log/event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import { sumByKey, WINDOWS, type WindowKey } from './windows.projection.js';

interface Row {
  readonly key: string;
  readonly at: number;
  readonly calls: number;
  readonly credits: number;
}

/** Calls of an account that the windows projection has not seen yet. */
async function readTail(client: pg.ClientBase, accountId: string): Promise<readonly StoredEvent[]> {
  const { rows } = await client.query<EventRow>({
    name: 'windows-tail',
    text: `select ${EVENT_COLUMNS} from event e
            where e.lane = $1 and e.account_id = $2 and e.type = 'CallMade'
              and e.position > coalesce(
                    (select position from checkpoint where projection = '${WINDOWS}' and lane = $1), 0)
            order by e.position`,
    values: [laneOf(accountId), accountId],
  });
  return rows.map(toStoredEvent);
}

function merge(row: WindowKey, tail: WindowKey | undefined): WindowKey {
  if (tail === undefined) return row;
  const calls = row.calls + tail.calls;
  return { ...row, calls, creditsUsed: row.creditsUsed + tail.creditsUsed };
}

/**
 * Keys of an account in a window after a key, in their order, at most `limit`: rows and the tail
 * of the log in the snapshot of the transaction under way.
 */
export async function readWindowKeys(
  client: pg.ClientBase,
  accountId: string,
  window: string,
  after: string,
  limit: number,
): Promise<readonly WindowKey[]> {
  const { rows } = await client.query<Row>({
    name: 'window-keys',
    text: `select key, (extract(epoch from first_call_at) * 1000)::bigint as at, calls,
                  credits_used as credits
             from window_key
            where lane = $1 and account_id = $2 and window_label = $3 and key > $4
            order by key limit $5`,
    values: [laneOf(accountId), accountId, window, after, limit],
  });
  const tail = sumByKey(await readTail(client, accountId)).filter(
    (sum) => sum.window === window && sum.key > after,
  );
  const tailByKey = new Map(tail.map((sum) => [sum.key, sum]));
  const kept = rows.map(({ key, at, calls, credits }) => {
    const row = { accountId, window, key, firstCallAt: at, calls, creditsUsed: credits };
    return merge(row, tailByKey.get(key));
  });
  const known = new Set(kept.map(({ key }) => key));
  // A key of the tail that has no row on this page may have one on a later page: only those up to
  // the page's last key, or all when the rows end here, are certainly new.
  const last = rows.length === limit ? (rows.at(-1)?.key ?? '') : null;
  const fresh = tail.filter(({ key }) => !known.has(key) && (last === null || key <= last));
  return [...kept, ...fresh].toSorted((a, b) => (a.key < b.key ? -1 : 1)).slice(0, limit);
}

/** What an account spent in a window, in credits. */
export async function readWindowCredits(
  client: pg.ClientBase,
  accountId: string,
  window: string,
): Promise<number> {
  const { rows } = await client.query<{ credits: number }>({
    name: 'window-credits',
    text: `select coalesce(sum(credits_used), 0)::bigint as credits from window_key
            where lane = $1 and account_id = $2 and window_label = $3`,
    values: [laneOf(accountId), accountId, window],
  });
  const tail = sumByKey(await readTail(client, accountId));
  const own = tail.filter((sum) => sum.window === window);
  return own.reduce((sum, { creditsUsed }) => sum + creditsUsed, rows[0]?.credits ?? 0);
}
