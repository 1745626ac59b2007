/** So many times as long as a work took, its place stays empty if others wait. */
const PAUSE_FACTOR = 4;
const PAUSE_MS_MAX = 100;

/**
 * Few places for works of the whole process; all others wait in their order. Where long works wait,
 * a place is left empty between them for longer than the last one took, so that together they never
 * get more than a share of the event loop and of the database.
 */
export class Places {
  readonly #waiting: (() => void)[] = [];

  /** `pauseFactor`: 0 for short works, which follow each other at once. */
  constructor(
    private places: number,
    private readonly pauseFactor = PAUSE_FACTOR,
  ) {}

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.places > 0) this.places -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const began = performance.now();
    try {
      return await work();
    } finally {
      this.#leave(performance.now() - began);
    }
  }

  #leave(tookMs: number): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.places += 1;
    else if (this.pauseFactor === 0) next();
    else setTimeout(next, Math.min(PAUSE_MS_MAX, tookMs * this.pauseFactor));
  }
}
