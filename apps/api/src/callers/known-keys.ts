import type { KeyAccount, KeyDirectory, KeyEnd, KeyRecord } from '#account/key-directory.js';
import { SharedWork } from '#web/shared-work.js';

/** After this long an account that is called is looked at again, beside the call. */
const FOLLOW_MS = 1_000;
/** Age at which a reading says nothing about a caller any more. */
const REMEMBERED_MS = 30_000;
const KEYS_MAX = 100_000;
const UNKNOWN_MS = 5_000;
const UNKNOWN_MAX = 10_000;

interface KnownKey {
  account: KeyAccount;
  /** When the reading began that the account is of. */
  readAt: number;
  /** From when on the next call has it followed. */
  dueAt: number;
}

/** A hash that is no open key's. */
interface UnknownKey {
  readonly until: number;
  /** Of a key that is over. */
  readonly end: KeyEnd | undefined;
}

/** Accounts that could not be followed, with why. */
type FollowFailures = ReadonlyMap<KnownKey, Error>;

/**
 * Remembers accounts with their API keys, and follows those that are called: all keys of an account
 * at once, by its changes alone, one statement for all accounts that are due. Calls do not wait for
 * it. Keys that are unknown or revoked are remembered apart, so that no guesses push out a
 * customer's.
 */
export class KnownKeys {
  /** Those that were read least lately come first. */
  readonly #accounts = new Map<string, KnownKey>();
  readonly #byHash = new Map<string, KnownKey>();
  readonly #unknown = new Map<string, UnknownKey>();
  readonly #looks = new Map<string, Promise<KeyRecord | undefined>>();
  readonly #following = new SharedWork<KnownKey, FollowFailures>((batch) => this.#follow(batch));
  #clearedAt = -Infinity;

  /** `monotonic`: milliseconds of a clock that never steps back. */
  constructor(
    private readonly directory: KeyDirectory,
    private readonly monotonic: () => number,
    private readonly keysMax = KEYS_MAX,
  ) {}

  /**
   * The record of a key, read at most 30 s ago. Of an account that is called all the time it is
   * hardly older than a second: once it is, the account is followed beside the call.
   */
  remembered(hash: string): KeyRecord | undefined {
    const known = this.#byHash.get(hash);
    const now = this.monotonic();
    if (known === undefined || now >= known.readAt + REMEMBERED_MS) return undefined;
    if (now >= known.dueAt) this.#followBeside(known);
    return known.account.keys.get(hash);
  }

  /** Whether a hash was a key's when its account was read last, however long ago. */
  isKnown(hash: string): boolean {
    return this.#byHash.has(hash);
  }

  /** Whether a hash was no key's a moment ago. Keys are made of random bytes: it is none now. */
  isUnknown(hash: string): boolean {
    return this.monotonic() < (this.#unknown.get(hash)?.until ?? -Infinity);
  }

  /** When a key ended that was looked for a moment ago; undefined: it was none ever. */
  endOf(hash: string): KeyEnd | undefined {
    return this.#unknown.get(hash)?.end;
  }

  /** A key that opens nothing any more is a stranger's from now on. */
  forget(hash: string): void {
    this.#byHash.delete(hash);
  }

  clear(): void {
    this.#clearedAt = this.monotonic();
    for (const map of [this.#accounts, this.#byHash, this.#unknown]) map.clear();
  }

  /** A key as of now: by a reading that begins after this was called. */
  async find(hash: string): Promise<KeyRecord | undefined> {
    const known = this.#byHash.get(hash);
    if (known === undefined) return this.#lookOnce(hash);
    await this.#followed(known);
    const isKept = this.#accounts.get(known.account.accountId) === known;
    return isKept ? this.#keyOf(hash, known.account) : this.#look(hash);
  }

  /** One look for all who ask at the same time; it may have begun before the later ones came. */
  async #lookOnce(hash: string): Promise<KeyRecord | undefined> {
    const running = this.#looks.get(hash);
    if (running !== undefined) return (await running) && this.find(hash);
    const look = this.#look(hash);
    this.#looks.set(hash, look);
    try {
      return await look;
    } finally {
      this.#looks.delete(hash);
    }
  }

  async #look(hash: string): Promise<KeyRecord | undefined> {
    const readAt = this.monotonic();
    const account = await this.directory.find(hash);
    if (account !== undefined) this.#remember(account, readAt);
    return this.#keyOf(hash, account);
  }

  #keyOf(hash: string, account: KeyAccount | undefined): KeyRecord | undefined {
    const record = account?.keys.get(hash);
    if (record === undefined) {
      this.#unknown.set(hash, { until: this.monotonic() + UNKNOWN_MS, end: account?.end });
      dropFirst(this.#unknown, UNKNOWN_MAX);
    }
    return record;
  }

  #followBeside(known: KnownKey): void {
    known.dueAt = Infinity;
    // What is remembered is good for a while; who has to know waits, and gets the error.
    this.#followed(known).catch(() => (known.dueAt = this.monotonic() + FOLLOW_MS));
  }

  async #followed(known: KnownKey): Promise<void> {
    const error = (await this.#following.join(known)).get(known);
    if (error !== undefined) throw error;
  }

  async #follow(batch: readonly KnownKey[]): Promise<FollowFailures> {
    const missed = new Map<KnownKey, Error>();
    const readAt = this.monotonic();
    const accounts = await this.directory.follow(batch.map(({ account }) => account));
    for (const [index, known] of batch.entries()) {
      const account = accounts[index];
      if (this.#accounts.get(known.account.accountId) !== known) continue;
      if (account instanceof Error) missed.set(known, account);
      else if (account === undefined) this.#drop(known);
      else this.#remember(account, readAt);
    }
    return missed;
  }

  /** Keeps an account as it was read, unless a later reading is kept. */
  #remember(account: KeyAccount, readAt: number): void {
    const { accountId, keys } = account;
    const before = this.#accounts.get(accountId);
    if (readAt < this.#clearedAt || (before !== undefined && readAt < before.readAt)) return;
    const times = { readAt, dueAt: readAt + FOLLOW_MS };
    const known = before === undefined ? { account, ...times } : Object.assign(before, times);
    this.#accounts.delete(accountId);
    this.#accounts.set(accountId, known);
    if (before?.account === account) return;
    this.#forgetAll(known);
    known.account = account;
    for (const hash of keys.keys()) this.#byHash.set(hash, known);
    for (const oldest of this.#accounts.values()) {
      if (this.#byHash.size <= this.keysMax || oldest === known) return;
      this.#drop(oldest);
    }
  }

  #drop(known: KnownKey): void {
    this.#accounts.delete(known.account.accountId);
    this.#forgetAll(known);
  }

  #forgetAll({ account }: KnownKey): void {
    for (const hash of account.keys.keys()) this.#byHash.delete(hash);
  }
}

/** The oldest makes room. */
function dropFirst(map: Map<string, unknown>, entriesMax: number): void {
  const [oldest] = map.size > entriesMax ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
}
