import type { KeyDirectory, KeyRecord } from '#account/key-directory.js';

const MAX_AGE_MS = 1000;
const ENTRIES_MAX = 50_000;

interface Entry {
  readonly record: KeyRecord;
  readonly until: number;
}

/**
 * Remembers API keys for at most a second. Keys that are unknown are never remembered, nor are those
 * of accounts on a test clock, whose time moves by command. Concurrent look-ups of a key are one.
 */
export class KeyCache {
  readonly #entries = new Map<string, Entry>();
  readonly #pending = new Map<string, Promise<KeyRecord | undefined>>();

  /** `monotonic`: milliseconds of a clock that never steps back. */
  constructor(
    private readonly keys: KeyDirectory,
    private readonly monotonic: () => number,
    private readonly entriesMax = ENTRIES_MAX,
  ) {}

  /** The record of a hash if it is remembered. */
  remembered(hash: string): KeyRecord | undefined {
    const entry = this.#entries.get(hash);
    if (entry === undefined) return undefined;
    if (this.monotonic() < entry.until) return entry.record;
    this.#entries.delete(hash);
    return undefined;
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
    this.#remember(hash, record);
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

  #remember(hash: string, record: KeyRecord | undefined): void {
    this.#entries.delete(hash);
    if (record === undefined || record.testClock !== null) return;
    this.#entries.set(hash, { record, until: this.monotonic() + MAX_AGE_MS });
    if (this.#entries.size <= this.entriesMax) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
