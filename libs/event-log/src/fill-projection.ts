import type pg from 'pg';
import { withTransaction } from '#database/database.js';
import { Alarm } from './alarm.js';
import type { Projection } from './projection.js';
import { applyBatch } from './projection-batch.js';

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
  /** Told how many events each transaction has applied. */
  readonly onApplied: (events: number) => void;
}

/** A lane that another transaction holds is looked at again this soon. */
const TAKEN_WAIT_MS = 20;

/** Checkpoints of a projection in a schema, or those that serve. */
export async function readCheckpoints(
  db: pg.Pool | pg.ClientBase,
  projection: string,
  schema: string | null,
): Promise<Positions> {
  const table = schema === null ? 'checkpoint' : `${schema}.checkpoint`;
  const { rows } = await db.query<{ lane: number; position: number }>(
    `select lane, position from ${table} where projection = $1 order by lane`,
    [projection],
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
  const from = await readCheckpoints(pool, projection.name, options.schema);
  const behind = [...upTo].filter(([lane, position]) => position > (from.get(lane) ?? 0));
  const lanes = behind.map(([lane]) => lane);
  const work = async (): Promise<void> => {
    for (let lane = lanes.shift(); lane !== undefined; lane = lanes.shift()) {
      await fillLane(pool, projection, lane, upTo.get(lane) ?? 0, options);
    }
  };
  await Promise.all(Array.from({ length: options.lanesAtOnce }, work));
}

async function fillLane(
  pool: pg.Pool,
  projection: Projection,
  lane: number,
  upTo: number,
  { schema, eventsMax, signal, onApplied }: FillOptions,
): Promise<void> {
  const alarm = new Alarm();
  for (;;) {
    signal.throwIfAborted();
    const position = (await readCheckpoints(pool, projection.name, schema)).get(lane) ?? 0;
    const behind = Math.min(eventsMax, upTo - position);
    if (behind <= 0) return;
    const applied = await withTransaction(pool, async (client) => {
      if (schema !== null) await searchFirst(client, schema);
      await client.query('set local synchronous_commit to off');
      return applyBatch(client, projection, [{ lane, behind }]);
    });
    if (applied > 0) onApplied(applied);
    else await alarm.wait(TAKEN_WAIT_MS);
  }
}

/** Names without a schema are looked for in this one first, until the transaction ends. */
async function searchFirst(client: pg.ClientBase, schema: string): Promise<void> {
  await client.query(
    `select set_config('search_path', $1 || ', ' || current_setting('search_path'), true)`,
    [schema],
  );
}
