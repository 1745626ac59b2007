import type pg from 'pg';
import { readGroups } from '#event-log/query-by-group.js';
import { briefCause } from './brief-cause.js';

const ANSWER_MS_MAX = 1_000;

/**
 * Warns of lanes whose server in a cluster does not answer: the accounts in them are refused, all
 * others are served. A group that has not answered yet is not asked again.
 */
export function laneWarnings(pool: pg.Pool): () => Promise<readonly string[]> {
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
  return async () => {
    const groups = await readGroups(pool);
    // In one place they are away together, and so is the database.
    if (groups.length === 1) return [];
    const causes = await Promise.all(groups.map(ask));
    const away = groups.filter((_, at) => causes[at] !== null);
    if (away.length === 0) return [];
    const named = away.flat().toSorted((a, b) => a - b);
    const why = [...new Set(causes)].filter((cause) => cause !== null).join('; ');
    return [
      `Lanes ${named.join(', ')} do not answer (${why}): calls of their accounts are refused.`,
    ];
  };
}

function inTime(answer: Promise<string | null>): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`nothing within ${ANSWER_MS_MAX} ms`), ANSWER_MS_MAX);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
