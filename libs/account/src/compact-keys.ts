/** Of a key's length, before its units. */
const LENGTH_BYTES = 2;
/** For some two hundred keys: a set is compact from 256 on. */
const PAGE_BYTES = 16_384;
/** The first byte of all belongs to no key. */
const FIRST_START = 1;
const UNITS_MAX = PAGE_BYTES - LENGTH_BYTES - FIRST_START;
const UNIT_MAX = 255;
const FIRST_SLOTS = 1_024;
/** FNV-1a, 32 bits. */
const HASH_BASIS = 0x81_1c_9d_c5;
const HASH_PRIME = 0x01_00_01_93;

/** Keys one after the other, each behind its length. */
interface Page {
  readonly bytes: Uint8Array;
  /** Where the first one begins, and where the next one will. */
  readonly start: number;
  end: number;
}

/**
 * A set of strings in arrays outside of the heap, for many: a key takes its length and some ten
 * bytes, and nothing of it is ever looked at by the collector. Pages are added as it grows, so keys
 * are never copied. Two keys are the same if all of their characters are; the hash says only where
 * to look.
 */
export class CompactKeys implements Iterable<string> {
  private readonly pages: Page[] = [newPage(FIRST_START)];
  /**
   * Where a key begins, counted over all pages, at the first place from its hash on that was free;
   * 0: free.
   */
  private slots = new Uint32Array(FIRST_SLOTS);
  private count = 0;
  /** Those that do not fit: not of Latin-1, or very long. */
  private readonly others = new Set<string>();

  get size(): number {
    return this.count + this.others.size;
  }

  has(key: string): boolean {
    return this.slots[this.slotOf(key)] !== 0 || this.others.has(key);
  }

  add(key: string): this {
    if (!fits(key)) {
      this.others.add(key);
      return this;
    }
    const slot = this.slotOf(key);
    if (this.slots[slot] !== 0) return this;
    this.slots[slot] = this.write(key);
    this.count += 1;
    if (this.count * 2 > this.slots.length) this.spread();
    return this;
  }

  *[Symbol.iterator](): Generator<string> {
    for (const { bytes, start, end } of this.pages) {
      for (let at = start; at < end; at = endAt(bytes, at)) yield keyAt(bytes, at);
    }
    yield* this.others;
  }

  /** The slot of a key, or the free one where it would be put. */
  private slotOf(key: string): number {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = hashOf(key) & mask;
    for (let start = slots[slot]; start !== undefined && start !== 0; start = slots[slot]) {
      if (this.holds(start, key)) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private holds(start: number, key: string): boolean {
    const bytes = this.pages[Math.floor(start / PAGE_BYTES)]?.bytes;
    const at = start % PAGE_BYTES;
    const { length } = key;
    if (bytes === undefined || lengthAt(bytes, at) !== length) return false;
    // Keys differ most at their ends.
    for (let index = length - 1, first = at + LENGTH_BYTES; index >= 0; index -= 1) {
      if (bytes[first + index] !== key.charCodeAt(index)) return false;
    }
    return true;
  }

  /** Answers where it begins, counted over all pages. */
  private write(key: string): number {
    const { bytes, end: at } = this.pageFor(LENGTH_BYTES + key.length);
    bytes[at] = key.length >> 8;
    bytes[at + 1] = key.length & UNIT_MAX;
    const first = at + LENGTH_BYTES;
    for (let index = 0; index < key.length; index += 1)
      bytes[first + index] = key.charCodeAt(index);
    this.lastPage.end = first + key.length;
    return (this.pages.length - 1) * PAGE_BYTES + at;
  }

  private get lastPage(): Page {
    const last = this.pages.at(-1);
    if (last === undefined) throw new Error('A set of keys has no page.');
    return last;
  }

  /** The last page, which has room for so many bytes. */
  private pageFor(length: number): Page {
    const last = this.lastPage;
    if (last.end + length <= PAGE_BYTES) return last;
    const next = newPage(0);
    this.pages.push(next);
    return next;
  }

  /** Twice the slots: at most every second one is taken. */
  private spread(): void {
    const slots = new Uint32Array(2 * this.slots.length);
    const mask = slots.length - 1;
    for (const [nth, { bytes, start, end }] of this.pages.entries()) {
      for (let at = start; at < end; at = endAt(bytes, at)) {
        let slot = hashAt(bytes, at) & mask;
        while (slots[slot] !== 0) slot = (slot + 1) & mask;
        slots[slot] = nth * PAGE_BYTES + at;
      }
    }
    this.slots = slots;
  }
}

function newPage(start: number): Page {
  return { bytes: new Uint8Array(PAGE_BYTES), start, end: start };
}

function lengthAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
}

/** Where the key ends that begins there. */
function endAt(bytes: Uint8Array, at: number): number {
  return at + LENGTH_BYTES + lengthAt(bytes, at);
}

function keyAt(bytes: Uint8Array, at: number): string {
  let key = '';
  for (const unit of bytes.subarray(at + LENGTH_BYTES, endAt(bytes, at))) {
    key += String.fromCharCode(unit);
  }
  return key;
}

/** The same as `hashOf` of the key. */
function hashAt(bytes: Uint8Array, start: number): number {
  const end = endAt(bytes, start);
  let hash = HASH_BASIS;
  for (let at = start + LENGTH_BYTES; at < end; at += 1) hash = mixed(hash, bytes[at] ?? 0);
  return spreadOut(hash);
}

function fits(key: string): boolean {
  if (key.length > UNITS_MAX) return false;
  for (let index = 0; index < key.length; index += 1) {
    if (key.charCodeAt(index) > UNIT_MAX) return false;
  }
  return true;
}

function hashOf(key: string): number {
  let hash = HASH_BASIS;
  for (let index = 0; index < key.length; index += 1) hash = mixed(hash, key.charCodeAt(index));
  return spreadOut(hash);
}

function mixed(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, HASH_PRIME);
}

/** Low bits to which the last characters matter as well as the first. */
function spreadOut(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}
