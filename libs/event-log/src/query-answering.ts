import type pg from 'pg';
import { codeOf, faultOf } from '#database/errors.js';
import type { LaneGroups } from './event-log.js';
import {
  haveMoved,
  keptTo,
  LanesMovedError,
  mayHaveMoved,
  readPlaces,
  retryWhileShardsMove,
} from './query-by-lane.js';
import type { PlacedGroup } from './stored-groups.js';

/** Rows of the lanes that answered. */
export interface Answers<Row> {
  readonly rows: Row[];
  /** Groups that did not, and the error of the last of them. */
  readonly away: LaneGroups;
  readonly error: unknown;
}

/** Rows about the items whose lanes answered. */
export interface ItemAnswers<Row, Item> {
  readonly rows: readonly Row[];
  /** The others, with why they did not. */
  readonly missed: ReadonlyMap<Item, Error>;
}

/** A server of the cluster that does not answer, and is not asked before it is looked at again. */
interface UnreachableServer {
  readonly error: unknown;
  /** By `performance.now()`. */
  readonly lookAt: number;
}

interface ServerHealth {
  /** By server. */
  readonly away: Map<number, UnreachableServer>;
  /** One at a time: what says nothing keeps a connection waiting. */
  isLooking: boolean;
}

/** A statement about the items of these lanes. */
type OfGroup = (lanes: readonly number[]) => pg.QueryConfig;

const CANCELED = '57014';
/** Longer than a cluster waits for a connection of one of its servers to another. */
const PATIENCE_MS = 4_000;
const POLL_MS = 1_000;
const AWAY_MS = 2_000;

const knownOf = new WeakMap<pg.Pool, ServerHealth>();

/**
 * Thrown of a server that accepts and never answers. Whoever waited has to leave the connection:
 * the coordinator waits for that server for as long as a statement may take, or for ever.
 */
class SilentServerError extends Error {
  override readonly name = 'SilentServerError';
  readonly code = CANCELED;
}

/**
 * Asks all lanes as `queryAllLanes` does, and goes without those whose server in a cluster does
 * not answer: for work in the background, which goes on for all others. A server that was away is
 * left out until a look beside finds it again. Throws where no lane answers, and what else goes
 * wrong.
 */
export function queryAnswering<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  statement: pg.QueryConfig,
): Promise<Answers<Row>> {
  return retryWhileShardsMove(async () => {
    const groups = await readPlaces(pool);
    if (groups.length === 1) return askAll(pool, statement);
    return askEach(pool, groups, () => statement);
  });
}

/** The same of items that are each of a lane, as `queryByLane` asks for them. */
export function queryAnsweringFor<Row extends pg.QueryResultRow, Item>(
  pool: pg.Pool,
  items: readonly Item[],
  laneOf: (item: Item) => number,
  statement: (items: readonly Item[]) => pg.QueryConfig,
): Promise<ItemAnswers<Row, Item>> {
  return retryWhileShardsMove(async () => {
    const groups = await readPlaces(pool);
    const among = (lanes: readonly number[]): readonly Item[] =>
      items.filter((item) => lanes.includes(laneOf(item)));
    const asked = groups.filter(({ lanes }) => among(lanes).length > 0);
    const { rows, away, error } =
      groups.length === 1
        ? await askAll<Row>(pool, statement(items))
        : await askEach<Row>(pool, asked, (lanes) => statement(among(lanes)));
    const missed = among(away.flat()).map((item) => {
      return [item, error instanceof Error ? error : new Error(String(error))] as const;
    });
    return { rows, missed: new Map(missed) };
  });
}

/**
 * The same for a statement that a cluster runs for all lanes at once: it is sent once, and by group
 * while a server is away.
 */
export function queryAnsweringAtOnce<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  statement: pg.QueryConfig,
): Promise<Answers<Row>> {
  return retryWhileShardsMove(async () => {
    const groups = await readPlaces(pool);
    if (groups.length === 1) return askAll(pool, statement);
    if (knownIn(pool).away.size === 0) {
      try {
        const rows = await ask<Row>(pool, unnamed(statement), PATIENCE_MS);
        return { rows, away: [], error: undefined };
      } catch (error) {
        if (!isUnreachable(error)) throw error;
      }
    }
    return askEach(pool, groups, () => statement);
  });
}

/** The rows for what promises to be whole. Throws where lanes did not answer. */
export function requireComplete<Row>({ rows, away, error }: Answers<Row>): Row[] {
  if (away.length > 0) throw error;
  return rows;
}

/** Whether an error is of another server of the cluster, and says nothing about all others. */
export function isUnreachable(error: unknown): boolean {
  return faultOf(error) === 'node-lost' || codeOf(error) === CANCELED;
}

/** Where all lanes are in one place. */
async function askAll<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  query: pg.QueryConfig,
): Promise<Answers<Row>> {
  const { rows } = await pool.query<Row>(query);
  return { rows, away: [], error: undefined };
}

async function askEach<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  groups: readonly PlacedGroup[],
  statement: OfGroup,
): Promise<Answers<Row>> {
  const known = knownIn(pool);
  const rows: Row[] = [];
  const away: LaneGroups[number][] = [];
  let error: unknown;
  for (const { lanes, server } of groups) {
    const standing = known.away.get(server);
    if (standing === undefined) {
      try {
        rows.push(...(await askGroup<Row>(pool, lanes, statement(lanes))));
        continue;
      } catch (reason) {
        if (!isUnreachable(reason)) throw reason;
        error = reason;
        keepAway(known, server, reason);
      }
    } else {
      ({ error } = standing);
      if (performance.now() >= standing.lookAt) void lookAgain(pool, known, server, lanes);
    }
    away.push(lanes);
  }
  if (away.length > 0 && away.length === groups.length) throw error;
  return { rows, away, error };
}

function knownIn(pool: pg.Pool): ServerHealth {
  const known = knownOf.get(pool) ?? {
    away: new Map<number, UnreachableServer>(),
    isLooking: false,
  };
  knownOf.set(pool, known);
  return known;
}

function keepAway({ away }: ServerHealth, server: number, error: unknown): void {
  away.set(server, { error, lookAt: performance.now() + AWAY_MS });
}

/** Nobody waits for it: those that answer are not to be slower for those that do not. */
async function lookAgain(
  pool: pg.Pool,
  known: ServerHealth,
  server: number,
  lanes: readonly number[],
): Promise<void> {
  if (known.isLooking) return;
  known.isLooking = true;
  try {
    await ask(pool, lookAt(lanes), PATIENCE_MS);
    known.away.delete(server);
  } catch (error) {
    keepAway(known, server, error);
  } finally {
    known.isLooking = false;
  }
}

/** A connection knows one text by a name, and a cluster plans each statement by itself. */
function unnamed({ name: _name, ...query }: pg.QueryConfig): pg.QueryConfig {
  return query;
}

function lookAt(lanes: readonly number[]): pg.QueryConfig {
  return { text: 'select count(position) from lane where lane = any ($1)', values: [[...lanes]] };
}

async function askGroup<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  lanes: readonly number[],
  query: pg.QueryConfig,
): Promise<Row[]> {
  // A statement may just take its time.
  const isHeard = (): Promise<boolean> =>
    ask(pool, lookAt(lanes), POLL_MS).then(
      () => true,
      () => false,
    );
  try {
    return await ask<Row>(pool, keptTo(lanes, query), PATIENCE_MS, isHeard);
  } catch (error) {
    if (mayHaveMoved(error) && (await haveMoved(pool, lanes, error))) {
      throw new LanesMovedError(`Lanes lie apart by now: ${String(error)}`, { cause: error });
    }
    throw error;
  }
}

/** Without an answer in time it waits on for as long as `isHeard` says that there are others. */
async function ask<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  query: pg.QueryConfig,
  patienceMs: number,
  isHeard?: () => Promise<boolean>,
): Promise<Row[]> {
  const client = await pool.connect();
  let broken: Error | boolean = true;
  try {
    const answer = client.query<Row>(query);
    do {
      const result = await waitAtMost(answer, patienceMs);
      if (result === LATE) continue;
      broken = false;
      return result.rows;
    } while (await isHeard?.());
    throw new SilentServerError('A server of the cluster has not answered in time.');
  } catch (error) {
    if (error instanceof Error && !(error instanceof SilentServerError)) broken = error;
    throw error;
  } finally {
    client.release(broken);
  }
}

const LATE = Symbol('late');

/** The answer, or that it takes longer. What comes later may fail unheard. */
function waitAtMost<Result>(
  answer: Promise<Result>,
  mostMs: number,
): Promise<Result | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), mostMs);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
