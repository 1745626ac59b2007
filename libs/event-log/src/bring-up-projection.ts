import type pg from 'pg';
import { Alarm } from './alarm.js';
import { eventsBetween, fillProjection, readCheckpoints } from './fill-projection.js';
import { lanesBeyond, lanesOfUnknown, startOver } from './lanes-beyond.js';
import type { Projection } from './projection.js';
import { outdatedProjections } from './projection-state.js';
import { registerProjection } from './projection-batch.js';
import { queryAnsweringAtOnce } from './query-answering.js';
import { throughOutages } from './through-outages.js';
import {
  rebuildProjection,
  type RebuildOptions,
  type RebuildOutcome,
} from './rebuild-projection.js';

const BUSY_WAIT_MS = 250;
const EVENTS_MAX = 20_000;
const LANES_AT_ONCE = 3;
const NEVER = new AbortController().signal;

/**
 * Rebuilds a projection and then applies what its rows were behind the log, in place; begins again
 * after an outage. Answers how many events were applied in all, or that somebody rebuilds it
 * already.
 */
export async function rebuildToEnd(
  pool: pg.Pool,
  projection: Projection,
  options: RebuildOptions = {},
): Promise<RebuildOutcome> {
  const { signal = NEVER, onOutage } = options;
  return throughOutages(() => rebuildOnce(pool, projection, options), { signal, onOutage });
}

async function rebuildOnce(
  pool: pg.Pool,
  projection: Projection,
  options: RebuildOptions,
): Promise<RebuildOutcome> {
  await leaveBeyond(pool, projection, options);
  const outcome = await rebuildProjection(pool, projection, options);
  if (outcome.outcome === 'busy') return outcome;
  const startedAt = performance.now();
  const events = await fillToEnd(pool, projection, options, outcome.events);
  const seconds = outcome.seconds + (performance.now() - startedAt) / 1_000;
  return { outcome: 'rebuilt', events: outcome.events + events, seconds };
}

/**
 * Makes a projection ready to be served from: outdated rows are rebuilt, by this process or
 * another, and everything is applied that the log holds now. An outage is waited out; of one that
 * concerns some lanes alone, all others are made ready.
 */
export async function bringUpProjection(
  pool: pg.Pool,
  projection: Projection,
  options: RebuildOptions = {},
): Promise<void> {
  const { signal = NEVER, onOutage } = options;
  await throughOutages(() => bringUpOnce(pool, projection, options), { signal, onOutage });
}

async function bringUpOnce(
  pool: pg.Pool,
  projection: Projection,
  options: RebuildOptions,
): Promise<void> {
  const alarm = new Alarm();
  for (;;) {
    (options.signal ?? NEVER).throwIfAborted();
    if ((await outdatedProjections(pool, [projection])).length === 0) break;
    const { outcome } = await rebuildProjection(pool, projection, options);
    if (outcome === 'busy') await alarm.wait(BUSY_WAIT_MS);
  }
  await registerProjection(pool, projection);
  await leaveBeyond(pool, projection, options);
  await startOver(pool, projection, await lanesOfUnknown(pool, projection));
  await fillToEnd(pool, projection, options, 0);
}

/** Nothing could ever be applied up to a checkpoint that lies beyond the end of its lane. */
async function leaveBeyond(
  pool: pg.Pool,
  projection: Projection,
  { onStartOver }: RebuildOptions,
): Promise<void> {
  const begun = await startOver(pool, projection, await lanesBeyond(pool, projection));
  if (begun.length > 0) onStartOver?.(projection.name, begun);
}

async function fillToEnd(
  pool: pg.Pool,
  projection: Projection,
  options: RebuildOptions,
  before: number,
): Promise<number> {
  const { rows } = await queryAnsweringAtOnce<{ lane: number; position: number }>(
    pool,
    (inGroup) => ({
      text: `select lane, position from lane l where ${inGroup('l')} order by lane`,
    }),
  );
  const ends = new Map(rows.map(({ lane, position }) => [lane, position]));
  const from = await readCheckpoints(pool, projection.name, null, [...ends.keys()]);
  const behind = eventsBetween(from, ends);
  let applied = 0;
  await (options.fill ?? fillProjection)(pool, projection, ends, {
    schema: null,
    eventsMax: options.eventsMax ?? EVENTS_MAX,
    lanesAtOnce: options.lanesAtOnce ?? LANES_AT_ONCE,
    signal: options.signal ?? NEVER,
    onApplied: (events) => {
      applied += events;
      const progress = { stage: 'catching-up', events: before + applied } as const;
      const total = before + Math.max(behind, applied);
      options.onProgress?.({ projection: projection.name, ...progress, total });
    },
  });
  return applied;
}
