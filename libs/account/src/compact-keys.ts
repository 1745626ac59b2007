/** Of a key's length, before its units. */
const LENGTH_BYTES = 2;
const UNITS_MAX = 65_535;
const UNIT_MAX = 255;
const FIRST_SLOTS = 1_024;
/** For some three hundred keys: a set is compact from 256 on. */
const FIRST_BYTES = 16_384;
/** FNV-1a, 32 bits. */
const HASH_BASIS = 0x81_1c_9d_c5;
const HASH_PRIME = 0x01_00_01_93;

/**
 * A set of strings in two arrays outside of the heap, for many: a key takes its length and some ten
 * bytes, and nothing of it is ever looked at by the collector. Two keys are the same if all of
 * their characters are; the hash says only where to look.
 */
export class CompactKeys implements Iterable<string> {
  /** Keys one after the other, each behind its length. The first byte belongs to none. */
  private bytes = new Uint8Array(FIRST_BYTES);
  private end = 1;
  /** Where in `bytes` a key begins, at the first place from its hash on that was free; 0: free. */
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
    this.reserve(LENGTH_BYTES + key.length);
    this.slots[slot] = this.end;
    this.write(key);
    this.count += 1;
    if (this.count * 2 > this.slots.length) this.spread();
    return this;
  }

  *[Symbol.iterator](): Generator<string> {
    for (let start = 1; start < this.end; start += LENGTH_BYTES + this.lengthAt(start)) {
      yield this.keyAt(start);
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
    const { length } = key;
    if (this.lengthAt(start) !== length) return false;
    const { bytes } = this;
    // Keys differ most at their ends.
    for (let index = length - 1, at = start + LENGTH_BYTES; index >= 0; index -= 1) {
      if (bytes[at + index] !== key.charCodeAt(index)) return false;
    }
    return true;
  }

  private lengthAt(start: number): number {
    return (this.bytes[start] ?? 0) * 256 + (this.bytes[start + 1] ?? 0);
  }

  private keyAt(start: number): string {
    const first = start + LENGTH_BYTES;
    const units = this.bytes.subarray(first, first + this.lengthAt(start));
    let key = '';
    for (const unit of units) key += String.fromCharCode(unit);
    return key;
  }

  private write(key: string): void {
    const { bytes } = this;
    bytes[this.end] = key.length >> 8;
    bytes[this.end + 1] = key.length & UNIT_MAX;
    const first = this.end + LENGTH_BYTES;
    for (let index = 0; index < key.length; index += 1)
      bytes[first + index] = key.charCodeAt(index);
    this.end = first + key.length;
  }

  private reserve(length: number): void {
    if (this.end + length <= this.bytes.length) return;
    const larger = new Uint8Array(2 * this.bytes.length + length);
    larger.set(this.bytes);
    this.bytes = larger;
  }

  /** Twice the slots: at most every second one is taken. */
  private spread(): void {
    this.slots = new Uint32Array(2 * this.slots.length);
    const mask = this.slots.length - 1;
    for (let start = 1; start < this.end; start += LENGTH_BYTES + this.lengthAt(start)) {
      let slot = this.hashAt(start) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = start;
    }
  }

  /** The same as `hashOf` of the key. */
  private hashAt(start: number): number {
    const first = start + LENGTH_BYTES;
    const end = first + this.lengthAt(start);
    let hash = HASH_BASIS;
    for (let at = first; at < end; at += 1) hash = mixed(hash, this.bytes[at] ?? 0);
    return spreadOut(hash);
  }
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
