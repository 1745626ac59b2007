import type pg from 'pg';
import { Alarm } from './alarm.js';
import { fillProjections } from './fill-projection.js';
import { lanesBeyond, lanesOfUnknown, startOver } from './lanes-beyond.js';
import type { Projection } from './projection.js';
import { eventsBetween, readCheckpoints } from './projection-tables.js';
import { outdatedProjections } from './projection-state.js';
import { registerProjection } from './projection-batch.js';
import { queryAnsweringAtOnce } from './query-answering.js';
import { throughOutages } from './through-outages.js';
import {
  rebuildProjections,
  type RebuildOptions,
  type RebuildOutcome,
} from './rebuild-projection.js';

const BUSY_WAIT_MS = 250;
const EVENTS_MAX = 20_000;
const LANES_AT_ONCE = 3;
const NEVER = new AbortController().signal;

/** Rebuilds one projection, as `rebuildAllToEnd` does. */
export async function rebuildToEnd(
  pool: pg.Pool,
  projection: Projection,
  options: RebuildOptions = {},
): Promise<RebuildOutcome> {
  const [outcome] = await rebuildAllToEnd(pool, [projection], options);
  if (outcome === undefined) throw new Error(`Projection ${projection.name} was not rebuilt.`);
  return outcome;
}

/**
 * Rebuilds projections and then applies what their rows were behind the log, in place; begins again
 * after an outage. Answers for each how many events were applied in all, or that somebody rebuilds
 * it already.
 */
export async function rebuildAllToEnd(
  pool: pg.Pool,
  projections: readonly Projection[],
  options: RebuildOptions = {},
): Promise<RebuildOutcome[]> {
  const { signal = NEVER, onOutage } = options;
  return throughOutages(() => rebuildOnce(pool, projections, options), { signal, onOutage });
}

async function rebuildOnce(
  pool: pg.Pool,
  projections: readonly Projection[],
  options: RebuildOptions,
): Promise<RebuildOutcome[]> {
  for (const projection of projections) await leaveBeyond(pool, projection, options);
  const outcomes = await rebuildProjections(pool, projections, options);
  const whole: RebuildOutcome[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const projection = projections[index];
    if (projection === undefined || outcome.outcome === 'busy') {
      whole.push(outcome);
      continue;
    }
    const startedAt = performance.now();
    const events = await fillToEnd(pool, [projection], options, outcome.events);
    const seconds = outcome.seconds + (performance.now() - startedAt) / 1_000;
    whole.push({ outcome: 'rebuilt', events: outcome.events + events, seconds });
  }
  return whole;
}

/**
 * Makes projections ready to be served from: outdated rows are rebuilt, by this process or another,
 * and everything is applied that the log holds now, of which they read together what they want of
 * lanes they have not begun. An outage is waited out; of one that concerns some lanes alone, all
 * others are made ready.
 */
export async function bringUpProjections(
  pool: pg.Pool,
  projections: readonly Projection[],
  options: RebuildOptions = {},
): Promise<void> {
  const { signal = NEVER, onOutage } = options;
  await throughOutages(() => bringUpOnce(pool, projections, options), { signal, onOutage });
}

async function bringUpOnce(
  pool: pg.Pool,
  projections: readonly Projection[],
  options: RebuildOptions,
): Promise<void> {
  const alarm = new Alarm();
  for (;;) {
    (options.signal ?? NEVER).throwIfAborted();
    const outdated = await outdatedProjections(pool, projections);
    if (outdated.length === 0) break;
    const wanted = projections.filter(({ name }) => outdated.includes(name));
    const outcomes = await rebuildProjections(pool, wanted, options);
    if (outcomes.some(({ outcome }) => outcome === 'busy')) await alarm.wait(BUSY_WAIT_MS);
  }
  for (const projection of projections) {
    await registerProjection(pool, projection);
    await leaveBeyond(pool, projection, options);
    await startOver(pool, projection, await lanesOfUnknown(pool, projection));
  }
  await fillToEnd(pool, projections, options, 0);
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
  projections: readonly Projection[],
  options: RebuildOptions,
  before: number,
): Promise<number> {
  const { rows } = await queryAnsweringAtOnce<{ lane: number; position: number }>(pool, {
    text: `select lane, position from lane l order by lane`,
  });
  const ends = new Map(rows.map(({ lane, position }) => [lane, position]));
  let behind = 0;
  for (const projection of projections) {
    behind += eventsBetween(await readCheckpoints(pool, projection, false, [...ends.keys()]), ends);
  }
  const names = projections.map(({ name }) => name).join(', ');
  let applied = 0;
  await (options.fill ?? fillProjections)(pool, projections, ends, {
    isShadow: false,
    eventsMax: options.eventsMax ?? EVENTS_MAX,
    lanesAtOnce: options.lanesAtOnce ?? LANES_AT_ONCE,
    signal: options.signal ?? NEVER,
    onApplied: (events) => {
      applied += events;
      const progress = { stage: 'catching-up', events: before + applied } as const;
      const total = before + Math.max(behind, applied);
      options.onProgress?.({ projection: names, ...progress, total });
    },
  });
  return applied;
}
