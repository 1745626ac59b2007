import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { codeOf } from '#database/errors.js';
import { ALL_LANES, type LaneGroups } from './event-log.js';
import { ofLanes } from './of-lanes.js';
import { placedGroups, storedGroups, type PlacedGroup } from './stored-groups.js';

type Database = pg.Pool | pg.ClientBase;

/** A shard that was split makes two groups of one. */
const KNOWN_MS = 10_000;
/** Code of a statement that a cluster does not run, for example as its lanes lie apart. */
const NOT_SUPPORTED = '0A000';
const MOVED_POLL_MS = 25;
const MOVED_TRIES = 40;

interface Known {
  readonly groups: readonly PlacedGroup[];
  /** Both by `performance.now()`. */
  readonly readAt: number;
  readonly until: number;
}

const knownOf = new WeakMap<Database, Known>();
/** Groups that any connection of the process has read before this are in doubt. */
let doubtedAt = -Infinity;

/** Code of a transaction that may succeed if it is begun again: also while a shard is split. */
const TRY_AGAIN = '40001';

/** Thrown where groups that were gone by are those of before a split: another try reads them. */
export class LanesMovedError extends Error {
  override readonly name = 'LanesMovedError';
  readonly code = TRY_AGAIN;
}

/** Whether a cluster may have refused a statement because its lanes lie apart by now. */
export function mayHaveMoved(error: unknown): boolean {
  return codeOf(error) === NOT_SUPPORTED;
}

/** Groups of lanes that are in one place: all of them in one, unless a cluster holds the log. */
export async function readGroups(db: Database): Promise<LaneGroups> {
  return (await readPlaces(db)).map(({ lanes }) => lanes);
}

/** The same with the server of each. */
export async function readPlaces(db: Database): Promise<readonly PlacedGroup[]> {
  const known = knownOf.get(db);
  const isKnown = known !== undefined && known.readAt > doubtedAt;
  if (isKnown && performance.now() < known.until) return known.groups;
  const groups = await placedGroups(db, 1);
  keepPlaces(db, groups);
  return groups;
}

/** Lets statements through a pool or connection go by these groups, each on a server of its own. */
export function keepGroups(db: Database, groups: LaneGroups): void {
  keepPlaces(
    db,
    groups.map((lanes, server) => ({ lanes, server })),
  );
}

function keepPlaces(db: Database, groups: readonly PlacedGroup[]): void {
  const readAt = performance.now();
  knownOf.set(db, { groups, readAt, until: groups.length === 1 ? Infinity : readAt + KNOWN_MS });
}

/** Whether the same would be answered in a moment: nothing of it was done. */
export function isWorthAnotherTry(error: unknown): boolean {
  return codeOf(error) === TRY_AGAIN;
}

/** Reads again what was refused while lanes move. */
export async function retryWhileShardsMove<Result>(read: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read();
    } catch (error) {
      if (!isWorthAnotherTry(error) || tries === MOVED_TRIES) throw error;
      await delay(MOVED_POLL_MS);
    }
  }
}

/**
 * Sends a statement about lanes once for each group of them, and returns all rows. It is written as
 * for one server, about its items; where a cluster holds the log, `ofLanes` keeps it to the group.
 * Where a group turns out to have been split, what was asked of it is asked again. In a
 * transaction, which ends with such a refusal, it throws LanesMovedError.
 */
export async function queryByLane<Row extends pg.QueryResultRow, Item = number>(
  db: Database,
  items: readonly Item[],
  laneOf: (item: Item) => number,
  statement: (items: readonly Item[]) => pg.QueryConfig,
): Promise<Row[]> {
  if (items.length === 0) return [];
  const groups = await readGroups(db);
  if (groups.length === 1) return (await db.query<Row>(statement(items))).rows;
  const found: Row[] = [];
  for (const lanes of groups) {
    const own = items.filter((item) => lanes.includes(laneOf(item)));
    if (own.length === 0) continue;
    const query = keptTo(lanes, statement(own));
    try {
      found.push(...(await db.query<Row>(query)).rows);
    } catch (error) {
      if (!mayHaveMoved(error)) throw error;
      if (!(await haveMoved(db, lanes, error))) throw error;
      found.push(...(await queryByLane<Row, Item>(db, own, laneOf, statement)));
    }
  }
  return found;
}

/** Whether lanes lie apart by now. Throws LanesMovedError where that cannot be read any more. */
export async function haveMoved(
  db: Database,
  group: readonly number[],
  error: unknown,
): Promise<boolean> {
  try {
    return (await movedGroups(db, group)) !== null;
  } catch {
    throw new LanesMovedError(`Lanes may lie apart by now: ${String(error)}`, { cause: error });
  }
}

/**
 * Groups of which no one holds all of these lanes; null: they are together. The coordinator is the
 * last to know of a split.
 */
export async function movedGroups(
  db: Database,
  lanes: readonly number[],
): Promise<LaneGroups | null> {
  doubtedAt = performance.now();
  for (let tries = 0; tries < MOVED_TRIES; tries += 1) {
    if (tries > 0) await delay(MOVED_POLL_MS);
    const groups = await storedGroups(db, 1);
    if (groups.length === 1) return null;
    if (!groups.some((group) => lanes.every((lane) => group.includes(lane)))) return groups;
  }
  return null;
}

/** The same for a statement about all lanes. */
export function queryAllLanes<Row extends pg.QueryResultRow>(
  db: Database,
  statement: pg.QueryConfig,
): Promise<Row[]> {
  return queryByLane<Row>(
    db,
    ALL_LANES,
    (lane) => lane,
    () => statement,
  );
}

/** The statement about these lanes alone. It may differ for each group, so it has no name. */
export function keptTo(
  lanes: readonly number[],
  { name: _name, text, ...query }: pg.QueryConfig,
): pg.QueryConfig {
  return { ...query, text: ofLanes(text, lanes) };
}
