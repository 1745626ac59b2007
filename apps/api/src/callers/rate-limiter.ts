import { type Problem, problem } from '#web/problem.js';
import { type RatePolicy, TokenBucket } from './token-bucket.js';

export const DEFAULT_RATE: RatePolicy = { perSecond: 50, burst: 100 };
const BUCKETS_MAX = 50_000;

/** What one request of a caller may do, with the headers that say so. */
export interface RateState {
  /** Null: the request may go on. */
  readonly refused: Problem | null;
  /** `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-11. */
  readonly policy: string;
  readonly limit: string;
}

interface Entry {
  readonly bucket: TokenBucket;
  readonly policy: string;
}

/** One token bucket for each API key of this process; the longest untouched are forgotten. */
export class RateLimiter {
  readonly #entries = new Map<string, Entry>();

  /** `monotonic`: milliseconds of a clock that never steps back. */
  constructor(
    private readonly monotonic: () => number,
    private readonly entriesMax = BUCKETS_MAX,
  ) {}

  take(keyId: string, own: RatePolicy | null): RateState {
    const now = this.monotonic();
    const entry = this.#entry(keyId, own ?? DEFAULT_RATE, now);
    const { bucket, policy } = entry;
    const allowed = bucket.take(now);
    const limit = `"default";r=${bucket.left};t=${bucket.secondsToNext}`;
    return { refused: allowed ? null : rateLimited(bucket), policy, limit };
  }

  #entry(keyId: string, rate: RatePolicy, now: number): Entry {
    const known = this.#entries.get(keyId);
    const same =
      known?.bucket.policy.perSecond === rate.perSecond && known.bucket.policy.burst === rate.burst;
    if (known && same) {
      // Moved to the end, so that the first of the map is the longest untouched.
      this.#entries.delete(keyId);
      this.#entries.set(keyId, known);
      return known;
    }
    const entry = { bucket: new TokenBucket(rate, now), policy: policyText(rate) };
    this.#entries.set(keyId, entry);
    if (this.#entries.size > this.entriesMax) this.#forgetOldest();
    return entry;
  }

  #forgetOldest(): void {
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}

/** The quota is the burst; the window is the time in which the bucket refills it. */
function policyText({ perSecond, burst }: RatePolicy): string {
  return `"default";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`;
}

function rateLimited(bucket: TokenBucket): Problem {
  const { perSecond } = bucket.policy;
  return problem(
    'rate-limited',
    `More than ${perSecond} requests a second with this key.`,
    {},
    { 'retry-after': String(bucket.secondsToNext) },
  );
}
