import type { Problem } from '../problem.js';
import { Buckets } from './buckets.js';
import { CallerAddresses, type Sender } from './caller-address.js';
import { ADDRESS_RATE, MAIL_RATE, type RateLimit, type RateLimits } from './rate-limits.js';
import type { RatePolicy } from './token-bucket.js';

/** Refusals of an address that are sent at once; each further one waits up to a second. */
const REFUSAL_RATE: RatePolicy = { perSecond: 20, burst: 20 };
const ADDRESSES_MAX = 50_000;

/** Counts the requests of callers without a valid key or session by their addresses. */
export class AnonymousRates {
  readonly #addresses: CallerAddresses;
  readonly #refusals = new Buckets('address', ADDRESSES_MAX, 'share');

  /** `trustProxy`: addresses and ranges of proxies whose word about a sender counts. */
  constructor(
    private readonly rates: RateLimits,
    trustProxy: readonly string[],
    private readonly monotonic = () => performance.now(),
  ) {
    this.#addresses = new CallerAddresses(trustProxy);
  }

  /** Counts a request; the problem (`rate-limited`) if its address has made too many. */
  count(sender: Sender): Problem | null {
    const { refused, policy, limit } = this.rates.take([this.#limit(sender)]);
    if (refused === null) return null;
    const rate = { 'ratelimit-policy': policy, ratelimit: limit };
    // Who goes on pays with a new connection for each refusal, and these are limited too.
    return { ...refused, headers: { ...refused.headers, ...rate, connection: 'close' } };
  }

  /** Counts a link to be mailed; the problem if its address has asked for too many. */
  countMail(sender: Sender): Problem | null {
    return this.rates.take([{ name: 'mail', id: this.addressOf(sender), policy: MAIL_RATE }])
      .refused;
  }

  /** The problem if an address has made too many requests; counts nothing. */
  refusal(sender: Sender): Problem | null {
    // A refused request takes nothing.
    return this.rates.refusal(this.#limit(sender)) === null ? null : this.count(sender);
  }

  /** Whether an address has used up more than half of what it may ask at once. */
  isPressing(sender: Sender): boolean {
    return this.rates.refusal(this.#limit(sender), ADDRESS_RATE.burst / 2) !== null;
  }

  /**
   * Counts a refusal for the limit of an address: the ms that its answer has to wait. To send an
   * answer costs more than to read a request, and most of those who are refused ask again as soon
   * as they are answered.
   */
  rejectAfterMs(sender: Sender): number {
    const now = this.monotonic();
    const { bucket } = this.#refusals.of(this.#addresses.of(sender), REFUSAL_RATE, now);
    bucket.has(now, 1);
    bucket.take(1);
    return bucket.msOwed;
  }

  /**
   * Counts a request that had to be looked up before it was known to be a stranger's. The address
   * may owe some then: otherwise all that are looked up at the same time would count as one.
   */
  owe(sender: Sender, requests = 1): void {
    this.rates.owe(this.#limit(sender), requests);
  }

  /** The address that a request comes from; an IPv6 /64 is one. */
  addressOf(sender: Sender): string {
    return this.#addresses.of(sender);
  }

  #limit(sender: Sender): RateLimit {
    return { name: 'address', id: this.#addresses.of(sender), policy: ADDRESS_RATE };
  }
}
