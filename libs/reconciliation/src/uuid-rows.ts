const WORDS = 4;
/** Words of a slot: the row, counted from 1, so that 0 is none, and its id. */
const SLOT = 1 + WORDS;
const HEX_WORD = 8;
const SLOTS_MIN = 1_024;
const DASH = 0x2d;
const NINE = 0x39;

/** Rows by a UUID, of which each has at most one: 40 bytes each at most, whatever their texts. */
export class UuidRows {
  private slots = SLOTS_MIN;
  private words = new Uint32Array(SLOTS_MIN * SLOT);
  private size = 0;
  private readonly asked = new Uint32Array(WORDS);

  /** False where another row has it already. */
  add(uuid: string, row: number): boolean {
    if (this.size * 2 >= this.slots) this.grow();
    readUuid(uuid, this.asked);
    return this.put(this.asked, row + 1);
  }

  /** The row that has it; undefined: none. */
  find(uuid: string): number | undefined {
    readUuid(uuid, this.asked);
    const row = this.words[this.slotOf(this.asked)] ?? 0;
    return row === 0 ? undefined : row - 1;
  }

  /** Ids of the rows of which this is true, in no order. */
  *idsOf(isWanted: (row: number) => boolean): Generator<string> {
    for (let slot = 0; slot < this.words.length; slot += SLOT) {
      const row = this.words[slot] ?? 0;
      if (row > 0 && isWanted(row - 1)) yield uuidOf(this.words.subarray(slot + 1, slot + SLOT));
    }
  }

  private put(id: Uint32Array, row: number): boolean {
    const slot = this.slotOf(id);
    if (this.words[slot] !== 0) return false;
    this.words[slot] = row;
    for (let word = 0; word < WORDS; word += 1) this.words[slot + 1 + word] = id[word] ?? 0;
    this.size += 1;
    return true;
  }

  /** Where it stands, or would. */
  private slotOf(id: Uint32Array): number {
    const [a = 0, b = 0, c = 0, d = 0] = id;
    // Ids are made of clocks and counters: without mixing, most of them lie side by side.
    let mixed = Math.imul(a ^ (a >>> 15), 0x85ebca6b) ^ b;
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) ^ c;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x9e3779b1) ^ d;
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
    let slot = ((mixed ^ (mixed >>> 13)) & (this.slots - 1)) * SLOT;
    while (this.words[slot] !== 0 && !this.isAt(slot, id)) slot = (slot + SLOT) % this.words.length;
    return slot;
  }

  private isAt(slot: number, id: Uint32Array): boolean {
    for (let word = 0; word < WORDS; word += 1) {
      if (this.words[slot + 1 + word] !== id[word]) return false;
    }
    return true;
  }

  private grow(): void {
    const { words } = this;
    this.slots *= 2;
    this.words = new Uint32Array(words.length * 2);
    this.size = 0;
    for (let slot = 0; slot < words.length; slot += SLOT) {
      const row = words[slot] ?? 0;
      if (row > 0) this.put(words.subarray(slot + 1, slot + SLOT), row);
    }
  }
}

/** `8-4-4-4-12` hex digits as four words. */
function readUuid(uuid: string, words: Uint32Array): void {
  let at = 0;
  for (let word = 0; word < WORDS; word += 1) {
    let bits = 0;
    for (let digit = 0; digit < HEX_WORD; at += 1) {
      const code = uuid.charCodeAt(at);
      if (code === DASH) continue;
      // Letters of either case end in 1 to 6, digits in 0 to 9.
      bits = (bits << 4) | ((code & 0xf) + (code > NINE ? 9 : 0));
      digit += 1;
    }
    words[word] = bits;
  }
}

function uuidOf(words: Uint32Array): string {
  const parts = Array.from(words, (word) => word.toString(16).padStart(8, '0'));
  return parts.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
