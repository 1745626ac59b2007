import type { Counts, RateLimit, RateLimitName } from '#web/rates/rate-limits.js';
import type { Problem } from '#web/problem.js';

/** Members of a limit in a message. */
const OF_LIMIT = 4;

/**
 * The counts of a turn as a message. Names of members for each of them would make most of it: it is
 * written and read as JSON on both sides.
 */
export type TakingsMessage = readonly (readonly (string | number)[])[];
/** Answers in the same order: what is left of each limit, and behind it the problem, if any. */
export type CountsMessage = readonly (readonly (number | Problem)[])[];

/** One count that a worker asks its primary for. */
export interface Taking {
  readonly limits: readonly RateLimit[];
  readonly requests: number;
}

export function takingsMessage(takings: readonly Taking[]): TakingsMessage {
  return takings.map(({ limits, requests }) => {
    const message: (string | number)[] = [requests];
    for (const { name, id, policy } of limits) {
      message.push(name, id, policy.perSecond, policy.burst);
    }
    return message;
  });
}

export function readTakings(message: TakingsMessage): Taking[] {
  return message.map(([requests, ...members]) => {
    const limits: RateLimit[] = [];
    for (let at = 0; at < members.length; at += OF_LIMIT) {
      const [name, id, perSecond, burst] = members.slice(at, at + OF_LIMIT);
      limits.push({
        name: name as RateLimitName,
        id: String(id),
        policy: { perSecond: Number(perSecond), burst: Number(burst) },
      });
    }
    return { limits, requests: Number(requests) };
  });
}

export function countsMessage(counts: readonly Counts[]): CountsMessage {
  return counts.map(({ refused, left }) => (refused === null ? left : [...left, refused]));
}

export function readCounts(message: CountsMessage): Counts[] {
  return message.map((members) => {
    const last = members.at(-1);
    const refused = typeof last === 'object' ? last : null;
    return { refused, left: (refused === null ? members : members.slice(0, -1)) as number[] };
  });
}
