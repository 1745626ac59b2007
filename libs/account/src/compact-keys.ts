/** Of a key's length, before its bytes. */
const LENGTH_BYTES = 2;

/** For some two hundred keys: a set is compact from 256 on. */
const PAGE_BYTES = 16_384;

/** The first byte of all belongs to no key. */
const FIRST_START = 1;

const UNITS_MAX = PAGE_BYTES - LENGTH_BYTES - FIRST_START;

const UNIT_MAX = 255;

/** Stands before the bytes of a UUID: half of a key would be its digits. */
const UUID_MARK = 1;

/** Stands for what the first key of a set begins with, as nearly all of its keys do. */
const BEGINNING_MARK = 2;

/** It ends before this slash: `/v1/{window}`. */
const BEGINNING_SLASHES = 3;

const UUID_BYTES = 16;

const UUID_UNITS = 36;

/** Where the two digits of each of its bytes stand in a UUID, and where its dashes. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

const DASHES = [8, 13, 18, 23];

const DASH = 0x2d;

const SLASH = 0x2f;

const HEX = '0123456789abcdef';

const NO_DIGIT = 255;

/** By character code. */
const DIGITS = Uint8Array.from({ length: 256 }, (_, unit) => {
  const digit = HEX.indexOf(String.fromCharCode(unit));
  return digit === -1 ? NO_DIGIT : digit;
});

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

/** The key that is looked for, as it is kept. */
const packed = new Uint8Array(UNITS_MAX);

/**
 * A set of strings in arrays outside of the heap, for many: a key takes its length without
 * `/v1/{window}`, less 19 for each UUID, and some ten bytes, and nothing of it is ever looked at
 * by the collector. Pages are added as it grows, so keys are never copied. Two keys are the same
 * if all of their characters are; the hash says only where to look.
 */
export class CompactKeys implements Iterable<string> {
  private readonly pages: Page[] = [newPage(FIRST_START)];
  /**
   * Where a key begins, counted over all pages, at the first place from its hash on that was free;
   * 0: free.
   */
  private slots = new Uint32Array(FIRST_SLOTS);
  private count = 0;
  /** Text that a mark stands for. */
  private beginning = '';
  /** Those that do not fit: not of Latin-1, with a mark in them, or very long. */
  private readonly others = new Set<string>();

  get size(): number {
    return this.count + this.others.size;
  }

  has(key: string): boolean {
    const length = pack(key, this.beginning);
    return length === undefined ? this.others.has(key) : this.slots[this.slotOf(length)] !== 0;
  }

  add(key: string): this {
    if (this.count === 0) this.beginning = beginningOf(key);
    const length = pack(key, this.beginning);
    if (length === undefined) {
      this.others.add(key);
      return this;
    }
    const slot = this.slotOf(length);
    if (this.slots[slot] !== 0) return this;
    this.slots[slot] = this.write(length);
    this.count += 1;
    if (this.count * 2 > this.slots.length) this.spread();
    return this;
  }

  *[Symbol.iterator](): Generator<string> {
    for (const { bytes, start, end } of this.pages) {
      for (let at = start; at < end; at = endAt(bytes, at)) yield keyAt(bytes, at, this.beginning);
    }
    yield* this.others;
  }

  /** The slot of the packed key, or the free one where it would be put. */
  private slotOf(length: number): number {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = hashOf(packed, 0, length) & mask;
    for (let start = slots[slot]; start !== undefined && start !== 0; start = slots[slot]) {
      if (this.holds(start, length)) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private holds(start: number, length: number): boolean {
    const bytes = this.pages[Math.floor(start / PAGE_BYTES)]?.bytes;
    const at = start % PAGE_BYTES;
    if (bytes === undefined || lengthAt(bytes, at) !== length) return false;
    // Keys differ most at their ends.
    for (let index = length - 1, first = at + LENGTH_BYTES; index >= 0; index -= 1) {
      if (bytes[first + index] !== packed[index]) return false;
    }
    return true;
  }

  /** Answers where the packed key begins from now on, counted over all pages. */
  private write(length: number): number {
    const { bytes, end: at } = this.pageFor(LENGTH_BYTES + length);
    bytes[at] = length >> 8;
    bytes[at + 1] = length & UNIT_MAX;
    bytes.set(packed.subarray(0, length), at + LENGTH_BYTES);
    this.lastPage.end = at + LENGTH_BYTES + length;
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
        let slot = hashOf(bytes, at + LENGTH_BYTES, endAt(bytes, at)) & mask;
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

function keyAt(bytes: Uint8Array, start: number, beginning: string): string {
  const end = endAt(bytes, start);
  let key = '';
  for (let at = start + LENGTH_BYTES; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === BEGINNING_MARK) key += beginning;
    else if (byte === UUID_MARK) {
      key += uuidText(bytes.subarray(at + 1, at + 1 + UUID_BYTES));
      at += UUID_BYTES;
    } else key += String.fromCharCode(byte);
  }
  return key;
}

function uuidText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    if (DASHES.includes(text.length)) text += '-';
    text += HEX.charAt(byte >> 4) + HEX.charAt(byte & 0x0f);
  }
  return text;
}

/** Empty if it has too few slashes. */
function beginningOf(key: string): string {
  let end = -1;
  for (let slash = 0; slash < BEGINNING_SLASHES; slash += 1) {
    end = key.indexOf('/', end + 1);
    if (end < 0) return '';
  }
  return key.slice(0, end);
}

/** Puts a key into `packed`; answers how many bytes it takes, undefined if it does not fit. */
function pack(key: string, beginning: string): number | undefined {
  if (key.length > UNITS_MAX) return undefined;
  let [at, length] = [0, 0];
  if (beginning !== '' && key.startsWith(beginning)) {
    packed[0] = BEGINNING_MARK;
    [at, length] = [beginning.length, 1];
  }
  for (; at < key.length; at += 1) {
    const unit = key.charCodeAt(at);
    if (unit > UNIT_MAX || unit === UUID_MARK || unit === BEGINNING_MARK) return undefined;
    packed[length] = unit;
    length += 1;
    if (unit === SLASH && packUuid(key, at + 1, length)) {
      length += 1 + UUID_BYTES;
      at += UUID_UNITS;
    }
  }
  return length;
}

/** Puts a UUID into `packed`, if one in lower case begins there; whether it does. */
function packUuid(key: string, from: number, to: number): boolean {
  for (const dash of DASHES) if (key.charCodeAt(from + dash) !== DASH) return false;
  packed[to] = UUID_MARK;
  for (let nth = 0; nth < UUID_BYTES; nth += 1) {
    const at = from + (PLACES[nth] ?? 0);
    const high = DIGITS[key.charCodeAt(at)] ?? NO_DIGIT;
    const low = DIGITS[key.charCodeAt(at + 1)] ?? NO_DIGIT;
    if (high === NO_DIGIT || low === NO_DIGIT) return false;
    packed[to + 1 + nth] = 16 * high + low;
  }
  return true;
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = HASH_BASIS;
  for (let at = start; at < end; at += 1) hash = mixed(hash, bytes[at] ?? 0);
  return spreadOut(hash);
}

function mixed(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, HASH_PRIME);
}

/** Low bits to which the last characters matter as well as the first. */
function spreadOut(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}
