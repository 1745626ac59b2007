import type pg from 'pg';
import { readGroups } from '#event-log/query-by-lane.js';
import { briefCause } from './brief-cause.js';
import type { Metrics } from './metrics/metrics.js';

const ANSWER_MS_MAX = 1_000;

/** Lanes that do not answer, and why. */
export interface LanesAway {
  readonly lanes: readonly number[];
  readonly why: string;
}

const NONE: LanesAway = { lanes: [], why: '' };

/**
 * Asks for the lanes whose server in a cluster does not answer. A group that has not answered yet
 * is not asked again. Those who ask while a look is under way share it.
 */
export function askLanesAway(pool: pg.Pool): () => Promise<LanesAway> {
  const asked = new Map<string, Promise<string | null>>();
  const ask = (lanes: readonly number[]): Promise<string | null> => {
    const name = lanes.join();
    const answer =
      asked.get(name) ??
      pool
        .query('select count(position) from lane where lane = any ($1)', [lanes])
        .then(() => null, briefCause)
        .finally(() => asked.delete(name));
    asked.set(name, answer);
    return inTime(answer);
  };
  const look = async (): Promise<LanesAway> => {
    const groups = await readGroups(pool);
    // In one place they are away together, and so is the database.
    if (groups.length === 1) return NONE;
    const causes = await Promise.all(groups.map(ask));
    const away = groups.filter((_, at) => causes[at] !== null);
    const lanes = away.flat().toSorted((a, b) => a - b);
    return { lanes, why: [...new Set(causes)].filter((cause) => cause !== null).join('; ') };
  };
  let running: Promise<LanesAway> | undefined;
  return () => (running ??= look().finally(() => (running = undefined)));
}

/** Warns of lanes that do not answer: accounts in them are refused, all others are served. */
export function laneWarnings({ lanes, why }: LanesAway): readonly string[] {
  if (lanes.length === 0) return [];
  return [`Lanes ${lanes.join(', ')} do not answer (${why}): calls of their accounts are refused.`];
}

/** Counts the lanes that do not answer. */
export function watchLanesAway(metrics: Metrics, lanesAway: () => Promise<LanesAway>): void {
  metrics.sampled(
    'popindex_lanes_away',
    'Lanes whose server in a cluster does not answer: calls of their accounts are refused.',
    'gauge',
    async () => [{ labels: {}, value: (await lanesAway()).lanes.length }],
  );
}

function inTime(answer: Promise<string | null>): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`nothing within ${ANSWER_MS_MAX} ms`), ANSWER_MS_MAX);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
