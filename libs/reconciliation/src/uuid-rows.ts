const EMPTY = -1;
const WORDS = 4;
const HEX_WORD = 8;
const SLOTS_MIN = 1_024;

/** Rows by a UUID, of which each has at most one: 16 bytes and a few each, whatever their texts. */
export class UuidRows {
  private words = new Uint32Array(SLOTS_MIN * WORDS);
  private rows = new Int32Array(SLOTS_MIN).fill(EMPTY);
  private size = 0;
  private readonly asked = new Uint32Array(WORDS);

  /** False where another row has it already. */
  add(uuid: string, row: number): boolean {
    if (this.size * 2 >= this.rows.length) this.grow();
    readUuid(uuid, this.asked);
    const slot = this.slotOf(this.asked);
    if (this.rows[slot] !== EMPTY) return false;
    this.put(slot, this.asked, row);
    return true;
  }

  /** The row that has it; undefined: none. */
  find(uuid: string): number | undefined {
    readUuid(uuid, this.asked);
    const row = this.rows[this.slotOf(this.asked)];
    return row === EMPTY ? undefined : row;
  }

  /** Ids with their rows, in no order. */
  *[Symbol.iterator](): Generator<readonly [uuid: string, row: number]> {
    for (const [slot, row] of this.rows.entries()) {
      if (row !== EMPTY) yield [uuidOf(this.words.subarray(slot * WORDS)), row];
    }
  }

  private put(slot: number, words: Uint32Array, row: number): void {
    this.words.set(words, slot * WORDS);
    this.rows[slot] = row;
    this.size += 1;
  }

  /** Where it stands, or would. */
  private slotOf(words: Uint32Array): number {
    const [a = 0, b = 0, c = 0, d = 0] = words;
    const { length } = this.rows;
    // The ends of ids of one millisecond are alike in none of their last words.
    let slot = (a ^ Math.imul(b, 31) ^ Math.imul(c, 0x9e3779b1) ^ d) & (length - 1);
    while (this.rows[slot] !== EMPTY && !this.isAt(slot, words)) slot = (slot + 1) & (length - 1);
    return slot;
  }

  private isAt(slot: number, words: Uint32Array): boolean {
    const first = slot * WORDS;
    for (let word = 0; word < WORDS; word += 1) {
      if (this.words[first + word] !== words[word]) return false;
    }
    return true;
  }

  private grow(): void {
    const { words, rows } = this;
    this.words = new Uint32Array(words.length * 2);
    this.rows = new Int32Array(rows.length * 2).fill(EMPTY);
    this.size = 0;
    for (const [slot, row] of rows.entries()) {
      if (row === EMPTY) continue;
      const known = words.subarray(slot * WORDS, (slot + 1) * WORDS);
      this.put(this.slotOf(known), known, row);
    }
  }
}

/** `8-4-4-4-12` hex digits as four words. */
function readUuid(uuid: string, words: Uint32Array): void {
  const hex = uuid.replaceAll('-', '');
  for (let word = 0; word < WORDS; word += 1) {
    words[word] = Number.parseInt(hex.slice(word * HEX_WORD, (word + 1) * HEX_WORD), 16);
  }
}

function uuidOf(words: Uint32Array): string {
  const parts = Array.from(words.subarray(0, WORDS), (word) => word.toString(16).padStart(8, '0'));
  return parts.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
