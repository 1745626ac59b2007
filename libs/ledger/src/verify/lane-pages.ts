import type pg from 'pg';
import type { StoredEvent } from '#event-log/event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import type { ChainedBatch } from '#event-log/lane-chains.js';

/** Events that follow each other in a lane, and the batch rows that end with one of them. */
export interface LanePage {
  readonly events: readonly StoredEvent[];
  readonly batches: ReadonlyMap<number, ChainedBatch>;
  /** Positions of events whose moment is no whole millisecond: no hash would show that. */
  readonly unhashed: readonly number[];
}

interface PageRow extends EventRow {
  readonly is_whole: boolean;
}

const PAGE_SIZE = 2_000;

/**
 * Everything that stands in a lane, in the order of positions, page by page. The next page is on
 * its way while one is looked at.
 */
export async function* readLane(client: pg.ClientBase, lane: number): AsyncGenerator<LanePage> {
  let next = readPage(client, lane, 0);
  for (;;) {
    const page = await next;
    const last = page.events.at(-1);
    if (last === undefined) return;
    next = readPage(client, lane, last.position);
    // Its failure is thrown where it is awaited; until then it must not end the process.
    next.catch(() => undefined);
    yield page;
  }
}

async function readPage(client: pg.ClientBase, lane: number, after: number): Promise<LanePage> {
  const events = await client.query<PageRow>({
    name: 'verify-events',
    text: `select ${EVENT_COLUMNS}, e.at = date_trunc('milliseconds', e.at) as is_whole from event e
            where e.lane = $1 and e.position > $2 order by e.position limit $3`,
    values: [lane, after, PAGE_SIZE],
  });
  const batches = await client.query<ChainedBatch>({
    name: 'verify-batches',
    text: `select last_position as "lastPosition", events, encode(hash, 'hex') as hash from batch
            where lane = $1 and last_position > $2 and last_position <= $3`,
    values: [lane, after, events.rows.at(-1)?.position ?? after],
  });
  return {
    events: events.rows.map(toStoredEvent),
    batches: new Map(batches.rows.map((batch) => [batch.lastPosition, batch])),
    unhashed: events.rows.filter((row) => !row.is_whole).map(({ position }) => position),
  };
}
