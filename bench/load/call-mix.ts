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

  /** How many different resources were asked for so far. */
  get asked(): number {
    return this.#had.length;
  }

  next(): number {
    const known = this.#had[this.#random.between(0, Math.max(0, this.#had.length - 1))];
    const isNew = this.#next < this.part.end && !this.#random.chance(this.repeatPercent);
    if (known !== undefined && !isNew) return known;
    const fresh = this.#next;
    this.#had.push(fresh);
    this.#next += this.part.step;
    return fresh;
  }
}
