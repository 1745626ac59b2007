import type { Counts, RateLimit, RateLimitName } from '#web/rates/rate-limits.js';
import type { Problem } from '#web/problem.js';

/** Members of a limit in a message. */
const OF_LIMIT = 4;

/** A count that a worker asks for. Names of members would make most of the message. */
export type TakingMessage = readonly (string | number)[];
/** Requests that are left of each limit, and behind them the problem, if any. */
export type CountsMessage = readonly (number | Problem)[];

/** One count that a worker asks its primary for. */
export interface RateRequest {
  readonly limits: readonly RateLimit[];
  readonly requests: number;
}

export function takingMessage({ limits, requests }: RateRequest): TakingMessage {
  const message: (string | number)[] = [requests];
  for (const { name, id, policy } of limits) {
    message.push(name, id, policy.perSecond, policy.burst);
  }
  return message;
}

export function readTaking([requests, ...members]: TakingMessage): RateRequest {
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
}

export function countsMessage({ refused, left }: Counts): CountsMessage {
  return refused === null ? left : [...left, refused];
}

export function readCounts(message: CountsMessage): Counts {
  const last = message.at(-1);
  const refused = typeof last === 'object' ? last : null;
  return { refused, left: (refused === null ? message : message.slice(0, -1)) as number[] };
}
