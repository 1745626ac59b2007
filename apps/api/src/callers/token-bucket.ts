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

  /** Takes one request out of the bucket; false when there is none. */
  take(now: number): boolean {
    const elapsed = Math.max(0, now - this.#at);
    this.#at = now;
    const refilled = this.#tokens + (elapsed / 1000) * this.policy.perSecond;
    this.#tokens = Math.min(this.policy.burst, refilled);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Whole requests that are left. */
  get left(): number {
    return Math.floor(this.#tokens);
  }

  /**
   * Whole seconds, at least 1, in which no more than `left` can be used: until the next request
   * is refilled.
   */
  get secondsToNext(): number {
    const missing = 1 - (this.#tokens - Math.floor(this.#tokens));
    return Math.max(1, Math.ceil(missing / this.policy.perSecond));
  }
}
