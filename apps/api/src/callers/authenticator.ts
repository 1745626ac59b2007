import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { KeyDirectory, KeyRecord } from '#account/key-directory.js';
import { isOver } from '#account/state.js';
import type { Scope } from '#account/terms.js';
import type { Clock } from '#calendar/clock.js';
import { Places } from '#web/places.js';
import { type Problem, problem } from '#web/problem.js';
import {
  ACCOUNT_RATE,
  KEY_RATE,
  type CallerRates,
  type RateState,
} from '#web/rates/rate-limits.js';
import type { AnonymousRates } from '#web/rates/anonymous-rates.js';
import { lacksScope } from '#web/refusal-problem.js';
import { bearerToken, endedKey, unknownKey } from './credentials.js';
import { KnownKeys } from './known-keys.js';

/** Who calls, on what account, and the time that the account lives in. */
export interface Caller {
  readonly record: KeyRecord;
  /** Ms since 1970 on the account's clock. */
  readonly now: number;
  readonly rate: RateState;
}

export type Admission =
  | { readonly outcome: 'caller'; readonly caller: Caller }
  | {
      readonly outcome: 'refused';
      readonly problem: Problem;
      readonly rate: RateState | null;
      /** Whose key it is that is beyond its rate. */
      readonly caller?: Caller;
    };

/** The parts of a request that identify the caller. */
type Credentials = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'socket'>;

/** New keys that are looked up at a time: guesses must not take all connections to the database. */
const NEW_KEYS_AT_ONCE = 3;

export interface AuthenticatorParts {
  readonly keys: KeyDirectory;
  readonly clock: Clock;
  readonly rates: CallerRates;
  readonly strangers: AnonymousRates;
  /** Milliseconds of a clock that never steps back. */
  readonly monotonic?: () => number;
}

/** Identifies callers by their API keys, and limits their requests. */
export class Authenticator {
  readonly #keys: KnownKeys;
  readonly #newKeys = new Places(NEW_KEYS_AT_ONCE, 0);
  /** Of requests that came by the front door: it asks for the key before the route does. */
  readonly #digests = new WeakMap<Credentials, string>();

  constructor(private readonly given: AuthenticatorParts) {
    this.#keys = new KnownKeys(given.keys, given.monotonic ?? (() => performance.now()));
  }

  /** The log went back: what is remembered of keys may never have been. */
  forget(): void {
    this.#keys.clear();
  }

  /** Whether a request carries no key that is remembered, however long ago it was looked up. */
  isStranger(request: Credentials): boolean {
    const digest = this.#digestOf(request);
    if (typeof digest !== 'string') return true;
    this.#digests.set(request, digest);
    return !this.#keys.isKnown(digest);
  }

  /** Looks up the key of a stranger and counts the request; the problem if the key is invalid. */
  async introduce(request: Credentials): Promise<Problem | null> {
    const digest = this.#digestOf(request);
    if (typeof digest !== 'string') return this.given.strangers.count(request) ?? digest;
    const record = await this.#lookUp(request, digest);
    return 'slug' in record ? record : null;
  }

  /** The ms that a refusal for the limit of an address has to wait. */
  rejectAfterMs(request: Credentials): number {
    return this.given.strangers.rejectAfterMs(request);
  }

  /**
   * Admits a caller: first the key (401), then the rates (429) of key and account, or of the
   * address if there is no valid key. What is remembered of a key admits only where a decision
   * looks at the key once more; `fresh`: there is none. It refuses nothing but what is beyond the
   * rate. For all else the directory is asked before.
   */
  async admit(request: Credentials, fresh: boolean, requests = 1): Promise<Admission> {
    const digest = this.#digestOf(request);
    if (typeof digest !== 'string') return this.#refuseStranger(request, digest);
    const found = this.#keys.remembered(digest);
    const remembered = found && this.#opens(found) ? found : undefined;
    // Counted before the look-up: what is beyond the rate must not reach the database.
    const counted = remembered && (await this.#count(remembered, requests));
    if (remembered && counted?.refused) return this.#beyond(remembered, counted.refused, counted);
    const isEnough = remembered && !fresh && remembered.testClock === null && !remembered.suspended;
    const record = isEnough ? remembered : await this.#lookUp(request, digest);
    if ('slug' in record) return refused(record);
    const rate = counted ?? (await this.#count(record, requests));
    if (rate.refused) return this.#beyond(record, rate.refused, rate);
    return { outcome: 'caller', caller: { record, now: this.#nowOf(record), rate } };
  }

  /**
   * The key of a caller that was admitted by what was remembered, once it was read, or the problem
   * where it opens nothing any more. `found`: undefined where it is over.
   */
  async confirm(request: Credentials, found: KeyRecord | undefined): Promise<KeyRecord | Problem> {
    if (found !== undefined && this.#opens(found)) return found;
    const digest = this.#digestOf(request);
    if (typeof digest !== 'string') return digest;
    this.#keys.forget(digest);
    return this.#lookUp(request, digest);
  }

  #beyond(record: KeyRecord, found: Problem, rate: RateState): Admission {
    const caller = { record, now: this.#nowOf(record), rate };
    return { outcome: 'refused', problem: found, rate, caller };
  }

  /** The SHA-256 of the key of a request, in hex. */
  #digestOf(request: Credentials): string | Problem {
    const known = this.#digests.get(request);
    if (known !== undefined) return known;
    const token = bearerToken(request);
    return typeof token === 'string' ? hash('sha256', token, 'hex') : token;
  }

  /** Whoever comes with a key that was none before is a stranger until it is found. */
  async #lookUp(request: Credentials, digest: string): Promise<KeyRecord | Problem> {
    const { strangers } = this.given;
    if (this.#keys.isUnknown(digest)) return strangers.count(request) ?? this.#refusalOf(digest);
    const find = () => this.#keys.find(digest);
    // Those that wait together are strangers only once the first of them have been looked up.
    const findNew = async () => strangers.refusal(request) ?? find();
    const isKnown = this.#keys.isKnown(digest);
    const refusal = isKnown ? null : strangers.refusal(request);
    const record = refusal ?? (await (isKnown ? find() : this.#newKeys.run(findNew)));
    if (record !== undefined && 'slug' in record) return record;
    if (record !== undefined && this.#opens(record)) return record;
    this.#keys.forget(digest);
    strangers.owe(request);
    // It was known, and is over: only the directory has when.
    if (record === undefined && isKnown) await this.#keys.find(digest);
    return record === undefined ? this.#refusalOf(digest) : endedKey(record);
  }

  /** Of a key that was looked for and opens nothing. */
  #refusalOf(digest: string): Problem {
    const end = this.#keys.endOf(digest);
    return end === undefined ? unknownKey() : endedKey(end);
  }

  /** An account's own limit holds over all its keys, and each of them may use all of it. */
  #count(
    { accountId, keyId, rateLimit }: KeyRecord,
    requests: number,
  ): Promise<RateState> | RateState {
    const limits = [
      { name: 'key', id: keyId, policy: rateLimit ?? KEY_RATE },
      { name: 'account', id: accountId, policy: rateLimit ?? ACCOUNT_RATE },
    ] as const;
    return this.given.rates.take(limits, requests);
  }

  #refuseStranger(request: Credentials, found: Problem): Admission {
    return refused(this.given.strangers.count(request) ?? found);
  }

  #opens(record: KeyRecord): boolean {
    return !isOver(record, this.#nowOf(record));
  }

  #nowOf(record: KeyRecord): number {
    return record.testClock ?? this.given.clock.now();
  }
}

/** The problem of a caller that lacks a scope or whose account is suspended, or null. */
export function forbidden(record: KeyRecord, scope: Scope): Problem | null {
  if (record.suspended && scope === 'data') {
    return problem('account-suspended', 'The account is suspended; its operator can resume it.');
  }
  if (record.scopes.includes(scope)) return null;
  return problem('forbidden', lacksScope(scope));
}

function refused(found: Problem): Admission {
  return { outcome: 'refused', problem: found, rate: null };
}
