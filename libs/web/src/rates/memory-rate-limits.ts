import { type Problem, problem } from '../problem.js';
import { type Bucket, Buckets } from './buckets.js';
import type { Counts, RateLimit, RateLimitName } from './rate-limits.js';
import type { RateState, SharedRates } from './rate-limits.js';
import { leftText } from './rate-texts.js';

/** Buckets of one name. */
const BUCKETS_MAX = 50_000;

/** Names of the limits, for the text of a refusal. */
const OF: Readonly<Record<RateLimitName, string>> = {
  key: 'with this key',
  account: 'with all keys of this account',
  session: 'in this session',
  address: 'without a valid key from this address',
  mail: 'for a link by e-mail from this address',
};

/** Counts in the memory of this process. */
export class MemoryRateLimits implements SharedRates {
  readonly #buckets: Readonly<Record<RateLimitName, Buckets>>;

  /** `monotonic`: milliseconds of a clock that never steps back. */
  constructor(
    private readonly monotonic: () => number = () => performance.now(),
    bucketsMax = BUCKETS_MAX,
  ) {
    this.#buckets = {
      key: new Buckets('key', bucketsMax, 'drop'),
      account: new Buckets('account', bucketsMax, 'drop'),
      session: new Buckets('session', bucketsMax, 'drop'),
      // Anybody can have many addresses: new ones must not push out those that are being refused.
      address: new Buckets('address', bucketsMax, 'share'),
      mail: new Buckets('mail', bucketsMax, 'share'),
    };
  }

  take(limits: readonly RateLimit[], requests = 1): RateState {
    const buckets: Bucket[] = [];
    const refused = this.#take(limits, requests, buckets);
    let policy = '';
    let limit = '';
    for (const one of buckets) {
      policy += policy === '' ? one.policyText : `, ${one.policyText}`;
      limit += limit === '' ? stateText(one) : `, ${stateText(one)}`;
    }
    return { refused, policy, limit };
  }

  count(limits: readonly RateLimit[], requests: number): Counts {
    const buckets: Bucket[] = [];
    const refused = this.#take(limits, requests, buckets);
    const left: number[] = [];
    for (const { bucket } of buckets) left.push(bucket.left, bucket.secondsToNext);
    return { refused, left };
  }

  /** Takes out of all limits or of none; answers why, and fills in the buckets. */
  #take(limits: readonly RateLimit[], requests: number, buckets: Bucket[]): Problem | null {
    const now = this.monotonic();
    let refused: Problem | null = null;
    for (const limit of limits) {
      const one = this.#find(limit, now);
      buckets.push(one);
      if (!one.bucket.has(now, requests)) refused ??= rateLimited(limit, one, requests);
    }
    if (refused === null) for (const { bucket } of buckets) bucket.take(requests);
    return refused;
  }

  refusal(limit: RateLimit, requests = 1): Problem | null {
    const now = this.monotonic();
    const one = this.#find(limit, now);
    return one.bucket.has(now, requests) ? null : rateLimited(limit, one, requests);
  }

  owe(limit: RateLimit, requests = 1): void {
    const now = this.monotonic();
    const { bucket } = this.#find(limit, now);
    bucket.has(now, requests);
    bucket.take(requests);
  }

  #find({ name, id, policy }: RateLimit, now: number): Bucket {
    return this.#buckets[name].of(id, policy, now);
  }
}

function stateText({ name, bucket }: Bucket): string {
  return leftText(name, bucket.left, bucket.secondsToNext);
}

function rateLimited({ name, policy }: RateLimit, { bucket }: Bucket, requests: number): Problem {
  const { perSecond } = policy;
  const seconds = String(bucket.secondsTo(requests));
  const detail = `More than ${mostOf(perSecond)} ${OF[name]}: try again in ${seconds} s.`;
  return problem('rate-limited', detail, {}, { 'retry-after': seconds });
}

function mostOf(perSecond: number): string {
  const [most, unit] = perSecond < 1 ? [perSecond * 60, 'minute'] : [perSecond, 'second'];
  return `${most} ${most === 1 ? 'request' : 'requests'} a ${unit}`;
}
