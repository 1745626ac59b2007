import { Random } from '#popularity/demo/random.js';

/** The part of a list of resources that is one caller's own, so that no two open the same. */
export interface CallMixPart {
  /** Callers of other names ask in another order. */
  readonly caller: string;
  readonly first: number;
  readonly step: number;
  /** Length of the list. */
  readonly end: number;
}

/**
 * Which resource one caller asks for next: again and again one that it has had, and every so often
 * a new one for as long as there are any. Indexes into the list; the first call is always new.
 */
export class CallMix {
  readonly #random: Random;
  readonly #had: number[] = [];
  #next: number;

  constructor(
    private readonly repeatPercent: number,
    private readonly part: CallMixPart,
  ) {
    this.#random = new Random(part.caller);
    this.#next = part.first;
  }

  /** The next calls, without making them. */
  plan(count: number): number[] {
    const had = [...this.#had];
    const planned: number[] = [];
    for (let next = this.#next; planned.length < count;) {
      const known = had[this.#random.between(0, Math.max(0, had.length - 1))];
      const isNew = next < this.part.end && !this.#random.chance(this.repeatPercent);
      if (known !== undefined && !isNew) planned.push(known);
      else {
        planned.push(next);
        had.push(next);
        next += this.part.step;
      }
    }
    return planned;
  }

  /** Takes note of planned calls that were made, in their order. Answers how many were new. */
  made(calls: readonly number[]): number {
    const before = this.#had.length;
    for (const call of calls) {
      if (call < this.#next) continue;
      this.#had.push(call);
      this.#next = call + this.part.step;
    }
    return this.#had.length - before;
  }
}
