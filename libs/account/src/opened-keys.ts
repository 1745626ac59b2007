import { CompactKeys } from './compact-keys.js';

const CHUNK_SIZE = 64;

/** From so many keys on they are kept outside of the heap. */
const COMPACT_FROM = 256;

type Keys = Set<string> | CompactKeys;

/**
 * The set of keys an account is known to have opened. `plus` answers a new set and leaves the old
 * one as it was, cheaply also for a set of a million: what is new is kept in small chunks on top of
 * a big part that is shared. `settle` moves them down once nobody needs the older sets any more.
 */
export class OpenedKeys {
  private constructor(
    private settled: Keys,
    private chunks: readonly ReadonlySet<string>[],
  ) {}

  static of(keys: Iterable<string> = []): OpenedKeys {
    const opened = new OpenedKeys(new Set(), []);
    opened.take(keys);
    return opened;
  }

  /** Adds to this set itself: only for who has made it, before anybody else sees it. */
  take(keys: Iterable<string>): void {
    for (const key of keys) {
      if (this.settled.size === COMPACT_FROM && this.settled instanceof Set) {
        this.settled = compact(this.settled);
      }
      this.settled.add(key);
    }
  }

  has(key: string): boolean {
    if (this.settled.has(key)) return true;
    for (const chunk of this.chunks) if (chunk.has(key)) return true;
    return false;
  }

  get size(): number {
    return this.chunks.reduce((sum, chunk) => sum + chunk.size, this.settled.size);
  }

  plus(key: string): OpenedKeys {
    if (this.has(key)) return this;
    // All accounts begin with the same empty set: what settles on top of it would be theirs too.
    if (this.size === 0) return OpenedKeys.of([key]);
    const last = this.chunks.at(-1);
    if (last === undefined || last.size >= CHUNK_SIZE) {
      return new OpenedKeys(this.settled, [...this.chunks, new Set([key])]);
    }
    return new OpenedKeys(this.settled, [...this.chunks.slice(0, -1), new Set(last).add(key)]);
  }

  /** Only for the owner of the newest set: older ones may see its keys afterwards. */
  compact(): void {
    if (this.chunks.length === 0) return;
    for (const chunk of this.chunks) this.take(chunk);
    this.chunks = [];
  }

  *[Symbol.iterator](): Generator<string> {
    yield* this.settled;
    for (const chunk of this.chunks) yield* chunk;
  }
}

function compact(keys: Iterable<string>): CompactKeys {
  const compacted = new CompactKeys();
  for (const key of keys) compacted.add(key);
  return compacted;
}
