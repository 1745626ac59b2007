import type pg from 'pg';
import { isDatabaseTrouble } from '#database/errors.js';
import { Alarm } from './alarm.js';
import { applyDamaging } from './apply-or-damage.js';
import { collectLane } from './collect-lane.js';
import type { Projection } from './projection.js';
import { applyBatch } from './projection-batch.js';
import { inTables, readCheckpoints } from './projection-tables.js';
import type { FillOptions, LaneFillOptions, Positions } from './projection-tables.js';

/** A lane that another transaction holds is looked at again this soon. */
const TAKEN_WAIT_MS = 20;

/**
 * Applies what projections are behind, each lane up to its position in `upTo`, with large
 * transactions and several lanes at once. Those that collect are handed the events of a lane
 * together, which so are read once. Nothing waits for these commits: a crash leaves a state that is
 * older but whole.
 */
export async function fillProjections(
  pool: pg.Pool,
  projections: readonly Projection[],
  upTo: Positions,
  options: FillOptions,
): Promise<void> {
  const behind = await lanesBehind(pool, projections, upTo, options.isShadow);
  const lanes = behind.values();
  const work = (): Promise<void> => fillLanes(pool, projections, upTo, lanes, options);
  await Promise.all(Array.from({ length: options.lanesAtOnce }, work));
}

/** How `fillProjections` fills: somebody else may do the same with more hands. */
export type FillProjections = typeof fillProjections;

/** Lanes in which any of the projections is behind, the one with most to do first. */
export async function lanesBehind(
  pool: pg.Pool,
  projections: readonly Projection[],
  upTo: Positions,
  isShadow: boolean,
): Promise<number[]> {
  const left = new Map<number, number>();
  for (const projection of projections) {
    const from = await readCheckpoints(pool, projection, isShadow, [...upTo.keys()]);
    for (const [lane, position] of upTo) {
      const events = position - (from.get(lane) ?? 0);
      if (events > 0) left.set(lane, events + (left.get(lane) ?? 0));
    }
  }
  return [...left].toSorted(([, a], [, b]) => b - a).map(([lane]) => lane);
}

/** Fills lanes one after the other; several may take from the same ones. */
export async function fillLanes(
  pool: pg.Pool,
  projections: readonly Projection[],
  upTo: Positions,
  lanes: Iterable<number> | AsyncIterable<number>,
  options: LaneFillOptions,
): Promise<void> {
  for await (const lane of lanes) {
    const end = upTo.get(lane) ?? 0;
    await collectLane(pool, projections, lane, end, options);
    for (const projection of projections) await fillLane(pool, projection, lane, end, options);
  }
}

/** Goes on where the rows of a lane stand. */
async function fillLane(
  pool: pg.Pool,
  projection: Projection,
  lane: number,
  upTo: number,
  { isShadow, eventsMax, signal, onApplied }: LaneFillOptions,
): Promise<void> {
  const alarm = new Alarm();
  for (;;) {
    signal.throwIfAborted();
    const stored = await readCheckpoints(pool, projection, isShadow, [lane]);
    const behind = Math.min(eventsMax, upTo - (stored.get(lane) ?? 0));
    if (behind <= 0) return;
    const lanes = [{ lane, behind }];
    let applied: number;
    try {
      applied = await inTables(pool, projection, isShadow, (client) =>
        applyBatch(client, projection, lanes),
      );
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error;
      applied = await inTables(pool, projection, isShadow, (client) =>
        applyDamaging(client, projection, lanes),
      );
    }
    if (applied > 0) onApplied(applied);
    else await alarm.wait(TAKEN_WAIT_MS);
  }
}
