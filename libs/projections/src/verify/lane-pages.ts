import type pg from 'pg';
import type { StoredEvent } from '#event-log/event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import type { ChainedBatch } from '#event-log/lane-chains.js';
import type { LaneFindings } from './findings.js';
import { readIfPossible, readOrReport, reportUnreadable } from './unreadable.js';

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
/** Of one lane; an index that is gone would make every event one. */
const UNREADABLE_MAX = 10_000;

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

/**
 * The same of a lane with pages that the database cannot read: each event of these is a finding,
 * and the others are there. `upTo`: the position of the last event. `unreadable`: takes the
 * positions of those that are missing.
 */
export async function* readDamagedLane(
  client: pg.ClientBase,
  findings: LaneFindings,
  upTo: number,
  unreadable: number[],
): AsyncGenerator<LanePage> {
  const { lane } = findings;
  let limit = PAGE_SIZE;
  for (let after = 0; after < upTo && unreadable.length < UNREADABLE_MAX;) {
    const [from, count] = [after, limit];
    const read = await readIfPossible(client, () => readEvents(client, lane, from, count));
    if ('error' in read && limit > 1) {
      limit = Math.floor(limit / 2);
      continue;
    }
    after += 1;
    if ('error' in read) {
      const rows = `position ${after}`;
      await reportUnreadable(client, findings, { table: 'event', rows }, read.error);
      unreadable.push(after);
      continue;
    }
    const last = read.result.at(-1);
    if (last === undefined) return;
    after = last.position;
    limit = Math.min(PAGE_SIZE, limit * 2);
    const place = { table: 'batch', rows: `last position ${from + 1} to ${after}` };
    const upToLast = last.position;
    const batches = await readOrReport(client, findings, place, () =>
      readBatches(client, lane, from, upToLast),
    );
    yield pageOf(read.result, batches ?? []);
  }
}

async function readPage(client: pg.ClientBase, lane: number, after: number): Promise<LanePage> {
  const events = await readEvents(client, lane, after, PAGE_SIZE);
  const last = events.at(-1)?.position ?? after;
  return pageOf(events, await readBatches(client, lane, after, last));
}

async function readEvents(
  client: pg.ClientBase,
  lane: number,
  after: number,
  limit: number,
): Promise<readonly PageRow[]> {
  const { rows } = await client.query<PageRow>({
    name: 'verify-events',
    text: `select ${EVENT_COLUMNS}, e.at = date_trunc('milliseconds', e.at) as is_whole from event e
            where e.lane = $1 and e.position > $2 order by e.position limit $3`,
    values: [lane, after, limit],
  });
  return rows;
}

async function readBatches(
  client: pg.ClientBase,
  lane: number,
  after: number,
  upTo: number,
): Promise<readonly ChainedBatch[]> {
  const { rows } = await client.query<ChainedBatch>({
    name: 'verify-batches',
    text: `select last_position as "lastPosition", events, encode(hash, 'hex') as hash from batch
            where lane = $1 and last_position > $2 and last_position <= $3`,
    values: [lane, after, upTo],
  });
  return rows;
}

function pageOf(events: readonly PageRow[], batches: readonly ChainedBatch[]): LanePage {
  return {
    events: events.map(toStoredEvent),
    batches: new Map(batches.map((batch) => [batch.lastPosition, batch])),
    unhashed: events.filter((row) => !row.is_whole).map(({ position }) => position),
  };
}
