/** Requests a second that are refilled, and how many may come at once. */
export interface RatePolicy {
  readonly perSecond: number;
  readonly burst: number;
}

/**
 * A token bucket: it holds at most `burst` requests and is refilled evenly. Times are milliseconds
 * of any clock that never steps back.
 */
export class TokenBucket {
  #tokens: number;
  #at: number;

  constructor(
    readonly policy: RatePolicy,
    now: number,
  ) {
    this.#tokens = policy.burst;
    this.#at = now;
  }

  /** Whether so many requests are left. What costs more than a burst needs a full bucket. */
  has(now: number, requests: number): boolean {
    const elapsed = Math.max(0, now - this.#at);
    this.#at = now;
    const refilled = this.#tokens + (elapsed / 1000) * this.policy.perSecond;
    this.#tokens = Math.min(this.policy.burst, refilled);
    return this.#tokens >= this.#most(requests);
  }

  /** Takes requests out of the bucket, which may owe a burst at most. `has` refills it before. */
  take(requests: number): void {
    this.#tokens = Math.max(-this.policy.burst, this.#tokens - this.#most(requests));
  }

  /** Whole requests that are left. */
  get left(): number {
    return Math.max(0, Math.floor(this.#tokens));
  }

  /** Requests that were taken beyond what was there. */
  get owed(): number {
    return Math.max(0, -this.#tokens);
  }

  /** Whole ms until nothing is owed. */
  get msOwed(): number {
    return Math.ceil((this.owed * 1_000) / this.policy.perSecond);
  }

  /**
   * Whole seconds, at least 1, in which no more than `left` can be used: until the next request
   * is refilled.
   */
  get secondsToNext(): number {
    return this.#secondsUntil(this.left + 1);
  }

  /** Whole seconds, at least 1, until so many requests are left. */
  secondsTo(requests: number): number {
    return this.#secondsUntil(this.#most(requests));
  }

  #secondsUntil(tokens: number): number {
    return Math.max(1, Math.ceil((tokens - this.#tokens) / this.policy.perSecond));
  }

  #most(requests: number): number {
    return Math.min(requests, this.policy.burst);
  }
}
