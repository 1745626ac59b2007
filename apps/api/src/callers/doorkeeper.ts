import { hash } from 'node:crypto';
import { isApiKey } from '#account/api-key.js';
import type { KeyDirectory, KeyRecord, Scope } from '#account/key-directory.js';
import type { Clock } from '#calendar/clock.js';
import { type Problem, problem } from '#web/problem.js';
import { invalidKey, unauthenticated } from '#web/refusal-problem.js';
import { KeyCache } from './key-cache.js';
import { RateLimiter, type RateState } from './rate-limiter.js';

/** Who calls, on what account, and the time that the account lives in. */
export interface Caller {
  readonly record: KeyRecord;
  /** Ms since 1970 on the account's clock. */
  readonly now: number;
  readonly rate: RateState;
}

export type Admission =
  | { readonly outcome: 'caller'; readonly caller: Caller }
  | { readonly outcome: 'refused'; readonly problem: Problem; readonly rate: RateState | null };

export interface Credentials {
  readonly authorization: string | undefined;
  /** Alternating names and values, as the parser of HTTP found them. */
  readonly rawHeaders: readonly string[];
}

const BEARER = 'bearer';
const AUTHORIZATION = 'authorization';

/** Tells callers by their API keys, and how many requests they may make. */
export class Doorkeeper {
  readonly #keys: KeyCache;
  readonly #rates: RateLimiter;

  constructor(
    keys: KeyDirectory,
    private readonly clock: Clock,
    monotonic: () => number = () => performance.now(),
  ) {
    this.#keys = new KeyCache(keys, monotonic);
    this.#rates = new RateLimiter(monotonic);
  }

  /**
   * Admits a caller: first the key (401), then the rate (429). `fresh` asks the directory whatever
   * is remembered. A remembered record never refuses: the directory is asked before.
   */
  async admit(credentials: Credentials, fresh: boolean): Promise<Admission> {
    const token = bearerToken(credentials);
    if (typeof token !== 'string') return refused(token);
    const digest = hash('sha256', token, 'hex');
    const remembered = fresh ? undefined : this.#keys.remembered(digest);
    let record = remembered ?? (await (fresh ? this.#keys.fresh(digest) : this.#keys.find(digest)));
    if (remembered && (!this.#opens(remembered) || remembered.suspended)) {
      record = await this.#keys.fresh(digest);
    }
    if (record === undefined || !this.#opens(record)) {
      return refused(invalidKey('The API key is unknown, revoked or expired.'));
    }
    const rate = this.#rates.take(record.keyId, record.rateLimit);
    if (rate.refused) return { outcome: 'refused', problem: rate.refused, rate };
    return { outcome: 'caller', caller: { record, now: this.#nowOf(record), rate } };
  }

  #opens(record: KeyRecord): boolean {
    const expired = record.expiresAt !== null && record.expiresAt <= this.#nowOf(record);
    return !record.revoked && !expired;
  }

  #nowOf(record: KeyRecord): number {
    return record.testClock ?? this.clock.now();
  }
}

/** What a caller may not do for lack of a scope or because the account is suspended, or null. */
export function forbidden(record: KeyRecord, scope: Scope): Problem | null {
  if (record.suspended && scope === 'data') {
    return problem('account-suspended', 'The account is suspended; its operator can resume it.');
  }
  if (record.scopes.includes(scope)) return null;
  return problem('forbidden', `The API key lacks the scope "${scope}".`);
}

function refused(found: Problem): Admission {
  return { outcome: 'refused', problem: found, rate: null };
}

function bearerToken({ authorization, rawHeaders }: Credentials): string | Problem {
  if (authorization === undefined) return unauthenticated();
  // Node keeps the first of several; which of them a proxy had looked at, nobody knows.
  if (countOf(rawHeaders, AUTHORIZATION) > 1) {
    return invalidKey('There is more than one Authorization header.');
  }
  const space = authorization.indexOf(' ');
  const scheme = space === -1 ? authorization : authorization.slice(0, space);
  if (scheme !== 'Bearer' && scheme.toLowerCase() !== BEARER) return unauthenticated();
  const token = space === -1 ? '' : authorization.slice(space + 1).trim();
  return isApiKey(token)
    ? token
    : invalidKey('That is no API key: its form or its check digits are wrong.');
}

/** How often a header was sent. `name` in lower case. */
export function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    if (sent.length === name.length && sent.toLowerCase() === name) count += 1;
  }
  return count;
}
