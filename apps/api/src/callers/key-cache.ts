import type { KeyDirectory, KeyRecord } from '#account/key-directory.js';

const MAX_AGE_MS = 1000;
const ENTRIES_MAX = 50_000;
const UNKNOWN_MS = 5_000;
const UNKNOWN_MAX = 10_000;

interface Entry {
  readonly record: KeyRecord;
  readonly until: number;
}

/**
 * Remembers API keys for at most a second, and for longer only that they are keys. Those that are
 * unknown are remembered apart, so that no guesses push out a customer's key. Concurrent look-ups
 * of a key are one.
 */
export class KeyCache {
  readonly #entries = new Map<string, Entry>();
  /** Until when hashes are known to be no key's. */
  readonly #unknown = new Map<string, number>();
  readonly #pending = new Map<string, Promise<KeyRecord | undefined>>();

  /** `monotonic`: milliseconds of a clock that never steps back. */
  constructor(
    private readonly keys: KeyDirectory,
    private readonly monotonic: () => number,
    private readonly entriesMax = ENTRIES_MAX,
  ) {}

  /** The record of a hash if it was looked up within a second. */
  remembered(hash: string): KeyRecord | undefined {
    const entry = this.#entries.get(hash);
    return entry && this.monotonic() < entry.until ? entry.record : undefined;
  }

  /** Whether a hash was a key's when it was looked up last, however long ago. */
  isKnown(hash: string): boolean {
    return this.#entries.has(hash);
  }

  /** Whether a hash was no key's a moment ago. Keys are made of random bytes: it is none now. */
  isUnknown(hash: string): boolean {
    const until = this.#unknown.get(hash);
    return until !== undefined && this.monotonic() < until;
  }

  /** A key that opens nothing any more is a stranger's from now on. */
  forget(hash: string): void {
    this.#entries.delete(hash);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Looks a hash up, together with whoever asks for it at this moment. */
  async find(hash: string): Promise<KeyRecord | undefined> {
    const running = this.#pending.get(hash);
    if (running === undefined) return this.#lookUp(hash);
    const record = await running;
    // That look-up may have begun before the command that moved the account's time was answered.
    return record?.testClock == null ? record : this.fresh(hash);
  }

  /** Looks a hash up now, whatever is remembered. */
  async fresh(hash: string): Promise<KeyRecord | undefined> {
    const record = await this.keys.find(hash);
    const now = this.monotonic();
    this.#entries.delete(hash);
    if (record === undefined) put(this.#unknown, hash, now + UNKNOWN_MS, UNKNOWN_MAX);
    else put(this.#entries, hash, { record, until: now + MAX_AGE_MS }, this.entriesMax);
    return record;
  }

  async #lookUp(hash: string): Promise<KeyRecord | undefined> {
    const lookUp = this.fresh(hash);
    this.#pending.set(hash, lookUp);
    try {
      return await lookUp;
    } finally {
      this.#pending.delete(hash);
    }
  }
}

/** The oldest make room. */
function put<Value>(map: Map<string, Value>, key: string, value: Value, entriesMax: number): void {
  map.set(key, value);
  if (map.size <= entriesMax) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
