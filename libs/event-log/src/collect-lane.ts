import type pg from 'pg';
import { isDatabaseTrouble } from '#database/errors.js';
import type { StoredEvent } from './event-log.js';
import { checkDense, readRanges, type LaneRange } from './lane-ranges.js';
import { applyCollected } from './projection-batch.js';
import { inTables, readCheckpoints, type LaneFillOptions } from './projection-tables.js';
import type { Projection, RowChanges } from './projection.js';

/** Events of a page are looked at while the next page is on its way. */
const PAGE_MAX = 2_000;

/** A projection on its way through a lane, from the first event on. */
interface Collecting {
  readonly projection: Projection;
  readonly changes: RowChanges;
}

/**
 * Applies a lane from its first event on to all projections that collect and have no rows of it
 * yet: each event is read once for all of them. One that cannot take an event, or whose checkpoint
 * somebody else has moved, is left where its rows stand.
 */
export async function collectLane(
  pool: pg.Pool,
  projections: readonly Projection[],
  lane: number,
  upTo: number,
  options: LaneFillOptions,
): Promise<void> {
  const { isShadow, eventsMax, signal } = options;
  let all: readonly Collecting[] = [];
  for (const projection of projections) {
    const changes = projection.collect?.();
    if (changes === undefined) continue;
    const stored = await readCheckpoints(pool, projection, isShadow, [lane]);
    if ((stored.get(lane) ?? 0) === 0) all = [...all, { projection, changes }];
  }
  if (all.length === 0) return;
  let written = 0;
  let read = 0;
  for await (const page of pages(pool, lane, upTo, Math.min(PAGE_MAX, eventsMax))) {
    signal.throwIfAborted();
    for (const event of page) all = addTo(all, event);
    if (all.length === 0) return;
    read += page.length;
    if (read - written < eventsMax && read < upTo) continue;
    all = await writeAll(pool, all, { lane, after: written, upTo: read }, options);
    written = read;
  }
}

async function* pages(
  pool: pg.Pool,
  lane: number,
  upTo: number,
  size: number,
): AsyncGenerator<StoredEvent[]> {
  const pageAfter = (after: number): Promise<StoredEvent[]> =>
    readPage(pool, { lane, after, upTo: Math.min(after + size, upTo) });
  let read = 0;
  let next = pageAfter(read);
  for (let page = await next; page.length > 0; page = await next) {
    read += page.length;
    next = pageAfter(read);
    // Its failure is thrown where it is awaited; until then it must not end the process.
    next.catch(() => undefined);
    yield page;
  }
}

async function readPage(pool: pg.Pool, range: LaneRange): Promise<StoredEvent[]> {
  const events = range.upTo > range.after ? await readRanges(pool, [range]) : [];
  checkDense([range], events);
  return events;
}

/**
 * Answers those that could take an event. What it was is found again where the others are gone on
 * with, account by account.
 */
function addTo(all: readonly Collecting[], event: StoredEvent): readonly Collecting[] {
  let failed: Collecting[] | undefined;
  for (const one of all) {
    try {
      one.changes.add(event);
    } catch {
      failed = [...(failed ?? []), one];
    }
  }
  return failed === undefined ? all : all.filter((one) => failed?.includes(one) !== true);
}

/** Writes what each has collected of a range. Answers those that may go on. */
async function writeAll(
  pool: pg.Pool,
  all: readonly Collecting[],
  range: LaneRange,
  { isShadow, onApplied }: LaneFillOptions,
): Promise<readonly Collecting[]> {
  const going: Collecting[] = [];
  for (const one of all) {
    const { projection, changes } = one;
    try {
      const applied = await inTables(pool, projection, isShadow, (client) =>
        applyCollected(client, projection, range, changes),
      );
      if (!applied) continue;
      going.push(one);
      onApplied(range.upTo - range.after);
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error;
    }
  }
  return going;
}
