import type pg from 'pg';
import { withTransaction } from '#database/database.js';
import { ALL_LANES } from './event-log.js';
import type { Projection } from './projection.js';
import { queryByLane } from './query-by-lane.js';
import { shadowSchema } from './shadow-tables.js';

/** Lane → position. */
export type Positions = ReadonlyMap<number, number>;

export interface FillOptions {
  /** Whether copies that are being rebuilt are filled, with checkpoints of their own. */
  readonly isShadow: boolean;
  /** Most events in one transaction, all of one lane. */
  readonly eventsMax: number;
  /** Lanes at once, each on a connection of its own. */
  readonly lanesAtOnce: number;
  readonly signal: AbortSignal;
  /** Called with the number of events of each applied transaction. */
  readonly onApplied: (events: number) => void;
}

/** The same for lanes that are filled one after the other. */
export type LaneFillOptions = Omit<FillOptions, 'lanesAtOnce'>;

/** Schema in which tables and checkpoints are looked for first; null: those that serve. */
function schemaOf(projection: Projection, isShadow: boolean): string | null {
  return isShadow ? shadowSchema(projection) : null;
}

/** Checkpoints of a projection that serve, or those of its copies; of all lanes or some. */
export async function readCheckpoints(
  db: pg.Pool | pg.ClientBase,
  projection: Projection,
  isShadow: boolean,
  lanes: readonly number[] = ALL_LANES,
): Promise<Positions> {
  const schema = schemaOf(projection, isShadow);
  const table = schema === null ? 'checkpoint' : `${schema}.checkpoint`;
  const rows = await queryByLane<{ lane: number; position: number }>(
    db,
    lanes,
    (lane) => lane,
    (own) => ({
      text: `select lane, position from ${table} c
              where projection = $1 and lane = any ($2)`,
      values: [projection.name, own],
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

/** A transaction on a projection's tables, or on their copies; nobody waits for its commit. */
export function inTables<Result>(
  pool: pg.Pool,
  projection: Projection,
  isShadow: boolean,
  work: (client: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  return withTransaction(pool, async (client) => {
    const schema = schemaOf(projection, isShadow);
    if (schema !== null) await searchFirst(client, schema);
    await client.query('set local synchronous_commit to off');
    return work(client);
  });
}

/** Names without a schema are looked for in this one first, until the transaction ends. */
async function searchFirst(client: pg.ClientBase, schema: string): Promise<void> {
  await client.query(
    `select set_config('search_path', $1 || ', ' || current_setting('search_path'), true)`,
    [schema],
  );
}
