import { createHash } from 'node:crypto';

/** A stream of pseudo-random integers, the same for the same seed on every machine. */
export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  }

  /** An integer from `min` to `max`, both included, at most 2^32 of them (mulberry32). */
  between(min: number, max: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    const value = (mixed ^ (mixed >>> 14)) >>> 0;
    return min + (value % (max - min + 1));
  }

  /** True about `percent` times of a hundred. */
  chance(percent: number): boolean {
    return this.between(1, 100) <= percent;
  }

  /** As many different elements, in their order; all where there are no more than that. */
  pick<Element>(elements: readonly Element[], count: number): Element[] {
    const left = elements.map((_, index) => index);
    const picked: number[] = [];
    while (picked.length < count && left.length > 0) {
      picked.push(...left.splice(this.between(0, left.length - 1), 1));
    }
    const chosen = new Set(picked);
    return elements.filter((_, index) => chosen.has(index));
  }
}

/** A UUID (version 8) that depends on nothing but a name. */
export function uuidOfName(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [8, 12, 16, 20, 32]
    .map((end, index) => hex.slice([0, 8, 12, 16, 20][index], end))
    .join('-');
}
