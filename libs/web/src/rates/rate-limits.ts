import type { Problem } from '../problem.js';
import type { RatePolicy } from './token-bucket.js';

/** Names of the limits: each counts ids of its own, and is named so in the headers. */
export type RateLimitName = 'key' | 'account' | 'session' | 'address' | 'mail';

/** One limit of one caller. */
export interface RateLimit {
  readonly name: RateLimitName;
  readonly id: string;
  readonly policy: RatePolicy;
}

/** The result of a rate limit for a request, with its headers. */
export interface RateState {
  /** Null: the request may go on. */
  readonly refused: Problem | null;
  /** `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-11. */
  readonly policy: string;
  readonly limit: string;
}

/** Port: counts callers with a valid key. A count that processes share takes a moment. */
export interface CallerRates {
  /** Takes so many requests out of all the limits, or out of none of them if one has too few. */
  take(limits: readonly RateLimit[], requests?: number): RateState | Promise<RateState>;
}

/**
 * Port: counts requests against limits. One object counts for all servers of a process, so that a
 * limit holds over them.
 */
export interface RateLimits extends CallerRates {
  take(limits: readonly RateLimit[], requests?: number): RateState;
  /** Whether a limit would refuse so many requests now, 1 unless given; takes nothing. */
  refusal(limit: RateLimit, requests?: number): Problem | null;
  /** Counts requests that were made although the limit may be used up: later ones wait longer. */
  owe(limit: RateLimit, requests?: number): void;
}

/** The rest of some limits once a request was counted. */
export interface Counts {
  readonly refused: Problem | null;
  /** Of each limit in turn: whole requests, and the whole seconds until there is one more. */
  readonly left: readonly number[];
}

/** Port: counts for other processes, too, which write the headers themselves. */
export interface SharedRates extends RateLimits {
  count(limits: readonly RateLimit[], requests: number): Counts;
}

/** Of each API key of an account without a limit of its own. */
export const KEY_RATE: RatePolicy = { perSecond: 50, burst: 100 };
/** Of an account without a limit of its own, over all its keys. */
export const ACCOUNT_RATE: RatePolicy = { perSecond: 500, burst: 1_000 };
/** Of a session of the portal. */
export const SESSION_RATE: RatePolicy = { perSecond: 50, burst: 100 };
/** Of an address, for all its requests without a valid key or session. */
export const ADDRESS_RATE: RatePolicy = { perSecond: 100, burst: 200 };
/** Of an address, for the links that it asks to be mailed. */
export const MAIL_RATE: RatePolicy = { perSecond: 1 / 30, burst: 20 };
