import type { RateLimitName } from './rate-limits.js';
import { policyText } from './rate-texts.js';
import { type RatePolicy, TokenBucket } from './token-bucket.js';

/** A token bucket with how its limit is named and written. */
export interface Bucket {
  readonly name: RateLimitName;
  readonly bucket: TokenBucket;
  readonly policyText: string;
}

interface Entry extends Bucket {
  touchedAt: number;
}

/** How exactly the order by use is kept, in ms: moving an entry costs more than counting. */
const TOUCH_MS = 1_000;
/** A bucket that nobody has touched for so long is full again by all usual policies. */
const IDLE_MS = 10_000;

/**
 * Buckets of one limit by id, a bounded number of them. One too many drops the longest untouched.
 * With `share` it does so only if that one is idle: until then those that find no room share one
 * bucket, so that nobody frees himself of a limit by coming from many ids.
 */
export class Buckets {
  readonly #entries = new Map<string, Entry>();
  #overflow: Entry | undefined;

  constructor(
    private readonly name: RateLimitName,
    private readonly entriesMax: number,
    private readonly whenFull: 'drop' | 'share',
  ) {}

  get size(): number {
    return this.#entries.size;
  }

  /** The bucket of an id; a full one if it is new or its policy has changed. */
  of(id: string, policy: RatePolicy, now: number): Bucket {
    const known = this.#entries.get(id);
    if (known === undefined) return this.#add(id, policy, now);
    const { perSecond, burst } = known.bucket.policy;
    if (perSecond !== policy.perSecond || burst !== policy.burst) return this.#put(id, policy, now);
    if (now - known.touchedAt < TOUCH_MS) return known;
    // Moved to the end, so that the first of the map is the longest untouched.
    known.touchedAt = now;
    this.#entries.delete(id);
    this.#entries.set(id, known);
    return known;
  }

  #add(id: string, policy: RatePolicy, now: number): Entry {
    if (this.#entries.size >= this.entriesMax && !this.#dropOldest(now)) {
      return (this.#overflow ??= this.#make(policy, now));
    }
    return this.#put(id, policy, now);
  }

  #put(id: string, policy: RatePolicy, now: number): Entry {
    const entry = this.#make(policy, now);
    this.#entries.set(id, entry);
    return entry;
  }

  #make(policy: RatePolicy, now: number): Entry {
    const { name } = this;
    const text = policyText(name, policy);
    return { name, bucket: new TokenBucket(policy, now), policyText: text, touchedAt: now };
  }

  #dropOldest(now: number): boolean {
    const oldest = this.#entries.entries().next();
    if (oldest.done) return true;
    const [id, { touchedAt }] = oldest.value;
    if (this.whenFull === 'share' && now - touchedAt < IDLE_MS) return false;
    return this.#entries.delete(id);
  }
}
