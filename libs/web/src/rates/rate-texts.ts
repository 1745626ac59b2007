import type { Counts, RateLimit, RateLimitName, RateState } from './rate-limits.js';
import type { RatePolicy } from './token-bucket.js';

/** A limit in `RateLimit-Policy`: its quota is the burst, its window the time that refills it. */
export function policyText(name: RateLimitName, { perSecond, burst }: RatePolicy): string {
  return `"${name}";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`;
}

/** A limit in `RateLimit`: whole requests that are left, and the seconds until the next one. */
export function leftText(name: RateLimitName, left: number, seconds: number): string {
  return `"${name}";r=${left};t=${seconds}`;
}

/** The state of a request whose limits another process has counted. */
export function rateState(limits: readonly RateLimit[], { refused, left }: Counts): RateState {
  const state = (name: RateLimitName, index: number): string =>
    leftText(name, left[2 * index] ?? 0, left[2 * index + 1] ?? 1);
  return {
    refused,
    policy: limits.map(({ name, policy }) => policyText(name, policy)).join(', '),
    limit: limits.map(({ name }, index) => state(name, index)).join(', '),
  };
}
