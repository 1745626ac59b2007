import type pg from 'pg';
import { withTransaction } from '#database/database.js';
import { isDatabaseTrouble } from '#database/errors.js';
import { Alarm } from './alarm.js';
import { applyDamaging } from './apply-or-damage.js';
import { ALL_LANES } from './event-log.js';
import type { Projection } from './projection.js';
import { applyBatch, applyCollected, type Collected } from './projection-batch.js';
import { queryByGroup } from './query-by-group.js';

/** Lane → position. */
export type Positions = ReadonlyMap<number, number>;

export interface FillOptions {
  /** Schema in which its tables and checkpoints are looked for first; null: those that serve. */
  readonly schema: string | null;
  /** Most events in one transaction, all of one lane. */
  readonly eventsMax: number;
  /** Lanes at once, each on a connection of its own. */
  readonly lanesAtOnce: number;
  readonly signal: AbortSignal;
  /** Called with the number of events of each applied transaction. */
  readonly onApplied: (events: number) => void;
}

/** A lane that another transaction holds is looked at again this soon. */
const TAKEN_WAIT_MS = 20;

/** Checkpoints of a projection in a schema, or those that serve; of all lanes or some. */
export async function readCheckpoints(
  db: pg.Pool | pg.ClientBase,
  projection: string,
  schema: string | null,
  lanes: readonly number[] = ALL_LANES,
): Promise<Positions> {
  const table = schema === null ? 'checkpoint' : `${schema}.checkpoint`;
  const rows = await queryByGroup<{ lane: number; position: number }>(
    db,
    lanes,
    (lane) => lane,
    (own, inGroup) => ({
      text: `select lane, position from ${table} c
              where projection = $1 and lane = any ($2) and ${inGroup('c')}`,
      values: [projection, own],
    }),
  );
  return new Map(rows.map(({ lane, position }) => [lane, position]));
}

/** Events that lie between two sets of positions. */
export function eventsBetween(from: Positions, to: Positions): number {
  let events = 0;
  for (const [lane, position] of to) events += Math.max(0, position - (from.get(lane) ?? 0));
  return events;
}

/**
 * Applies what a projection is behind, each lane up to its position in `upTo`, with large
 * transactions and several lanes at once. Nothing waits for these commits: a crash leaves a state
 * that is older but whole.
 */
export async function fillProjection(
  pool: pg.Pool,
  projection: Projection,
  upTo: Positions,
  options: FillOptions,
): Promise<void> {
  const behind = await lanesBehind(pool, projection, upTo, options.schema);
  const lanes = behind.values();
  const work = (): Promise<void> => fillLanes(pool, projection, upTo, lanes, options);
  await Promise.all(Array.from({ length: options.lanesAtOnce }, work));
}

/** How `fillProjection` fills: somebody else may do the same with more hands. */
export type FillProjection = typeof fillProjection;

/** Lanes in which a projection is behind, the one with most to do first. */
export async function lanesBehind(
  pool: pg.Pool,
  projection: Projection,
  upTo: Positions,
  schema: string | null,
): Promise<number[]> {
  const from = await readCheckpoints(pool, projection.name, schema, [...upTo.keys()]);
  const behind = [...upTo].map(([lane, position]) => ({
    lane,
    events: position - (from.get(lane) ?? 0),
  }));
  const left = behind.filter(({ events }) => events > 0);
  return left.toSorted((a, b) => b.events - a.events).map(({ lane }) => lane);
}

/** Fills lanes one after the other; several may take from the same ones. */
export async function fillLanes(
  pool: pg.Pool,
  projection: Projection,
  upTo: Positions,
  lanes: Iterable<number> | AsyncIterable<number>,
  options: Omit<FillOptions, 'lanesAtOnce'>,
): Promise<void> {
  for await (const lane of lanes) {
    await fillLane(pool, projection, lane, upTo.get(lane) ?? 0, options);
  }
}

async function fillLane(
  pool: pg.Pool,
  projection: Projection,
  lane: number,
  upTo: number,
  { schema, eventsMax, signal, onApplied }: Omit<FillOptions, 'lanesAtOnce'>,
): Promise<void> {
  const alarm = new Alarm();
  let collected: Collected | undefined;
  for (;;) {
    signal.throwIfAborted();
    const stored = await readCheckpoints(pool, projection.name, schema, [lane]);
    const position = stored.get(lane) ?? 0;
    const behind = Math.min(eventsMax, upTo - position);
    if (behind <= 0) return;
    if (position === 0) collected = startCollecting(projection);
    // Somebody else has gone on in this lane: what is there now has to be read back.
    if (collected?.position !== position) collected = undefined;
    const from = collected;
    const inSchema = (apply: (client: pg.ClientBase) => Promise<number>): Promise<number> =>
      withTransaction(pool, async (client) => {
        if (schema !== null) await searchFirst(client, schema);
        await client.query('set local synchronous_commit to off');
        return apply(client);
      });
    let applied: number;
    try {
      applied = await inSchema((client) =>
        from === undefined
          ? applyBatch(client, projection, [{ lane, behind }])
          : applyCollected(client, projection, { lane, behind }, from),
      );
      collected = from && { changes: from.changes, position: position + applied };
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error;
      collected = undefined;
      applied = await inSchema((client) => applyDamaging(client, projection, [{ lane, behind }]));
    }
    if (applied > 0) onApplied(applied);
    else await alarm.wait(TAKEN_WAIT_MS);
  }
}

function startCollecting(projection: Projection): Collected | undefined {
  const changes = projection.collect?.();
  return changes && { changes, position: 0 };
}

/** Names without a schema are looked for in this one first, until the transaction ends. */
async function searchFirst(client: pg.ClientBase, schema: string): Promise<void> {
  await client.query(
    `select set_config('search_path', $1 || ', ' || current_setting('search_path'), true)`,
    [schema],
  );
}
