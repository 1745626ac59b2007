import type pg from 'pg';
import { ALL_LANES, type LaneGroups } from './event-log.js';
import { storedGroups } from './stored-groups.js';

type Database = pg.Pool | pg.ClientBase;

/**
 * SQL for whether the rows of a table are of the group that a statement is for. `table`: its name
 * or alias. It is `true` where all lanes are in one place.
 */
export type InGroup = (table: string) => string;

/** A shard that was split makes two groups of one. */
const KNOWN_MS = 10_000;

interface Known {
  readonly groups: LaneGroups;
  /** By `performance.now()`. */
  readonly until: number;
}

const knownOf = new WeakMap<Database, Known>();

/** Groups of lanes that are in one place: all of them in one, unless a cluster holds the log. */
export async function readGroups(db: Database): Promise<LaneGroups> {
  const known = knownOf.get(db);
  if (known !== undefined && performance.now() < known.until) return known.groups;
  const groups = await storedGroups(db, 1);
  keepGroups(db, groups);
  return groups;
}

/** Lets statements through a pool or connection go by these groups. */
export function keepGroups(db: Database, groups: LaneGroups): void {
  const until = groups.length === 1 ? Infinity : performance.now() + KNOWN_MS;
  knownOf.set(db, { groups, until });
}

/**
 * Sends a statement about lanes once for each group of them, and returns all rows. A cluster runs
 * any statement of which every table names the lanes of one group; a join does not name them.
 */
export async function queryByGroup<Row extends pg.QueryResultRow, Item = number>(
  db: Database,
  items: readonly Item[],
  laneOf: (item: Item) => number,
  statement: (items: readonly Item[], inGroup: InGroup) => pg.QueryConfig,
): Promise<Row[]> {
  if (items.length === 0) return [];
  const groups = await readGroups(db);
  if (groups.length === 1) return (await db.query<Row>(statement(items, () => 'true'))).rows;
  const found: Row[] = [];
  for (const lanes of groups) {
    const own = items.filter((item) => lanes.includes(laneOf(item)));
    if (own.length === 0) continue;
    const inGroup: InGroup = (table) => `${table}.lane = any ('{${lanes.join()}}'::int2[])`;
    // A connection knows one text by a name, and a cluster plans each statement by itself.
    const { name: _name, ...query } = statement(own, inGroup);
    found.push(...(await db.query<Row>(query)).rows);
  }
  return found;
}

/** The same for a statement about all lanes. */
export function queryEachGroup<Row extends pg.QueryResultRow>(
  db: Database,
  statement: (inGroup: InGroup) => pg.QueryConfig,
): Promise<Row[]> {
  return queryByGroup<Row>(
    db,
    ALL_LANES,
    (lane) => lane,
    (_lanes, inGroup) => statement(inGroup),
  );
}
