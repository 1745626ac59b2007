import type pg from 'pg';
import type { StoredEvent } from '#event-log/event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';

/** An event, and the batch row that ends with it, if one does. */
export interface LaneEntry {
  readonly stored: StoredEvent;
  readonly batch: { readonly events: number; readonly hash: Buffer } | null;
}

interface Row extends EventRow {
  readonly batch_events: number | null;
  readonly batch_hash: Buffer | null;
}

const PAGE_SIZE = 4_000;

/**
 * Everything that stands in a lane, in the order of positions, page by page. The next page is on its
 * way while one is looked at.
 */
export async function* readLane(
  client: pg.ClientBase,
  lane: number,
): AsyncGenerator<readonly LaneEntry[]> {
  let next = readPage(client, lane, 0);
  for (;;) {
    const page = await next;
    const last = page.at(-1);
    if (last === undefined) return;
    next = readPage(client, lane, last.stored.position);
    // Its failure is thrown where it is awaited; until then it must not end the process.
    next.catch(() => undefined);
    yield page;
  }
}

async function readPage(client: pg.ClientBase, lane: number, after: number): Promise<LaneEntry[]> {
  const { rows } = await client.query<Row>({
    name: 'verify-page',
    text: `select ${EVENT_COLUMNS}, b.events as batch_events, b.hash as batch_hash
             from (select * from event where lane = $1 and position > $2
                    order by position limit $3) e
             left join batch b on b.lane = e.lane and b.last_position = e.position
            order by e.position`,
    values: [lane, after, PAGE_SIZE],
  });
  return rows.map((row) => ({
    stored: toStoredEvent(row),
    batch:
      row.batch_events === null || row.batch_hash === null
        ? null
        : { events: row.batch_events, hash: row.batch_hash },
  }));
}
