/** A turn that takes longer waits for a server that says nothing. */
const LATE_MS = 500;

/** One of the turns that are under way. */
export interface Turn {
  readonly begunAt: number;
}

/** So many at once; the others wait in the order in which they asked. */
export class Turns {
  private readonly waiting: ((turn: Turn) => void)[] = [];
  private readonly underWay = new Set<Turn>();

  constructor(private readonly most: number) {}

  /** Resolves when it is the caller's turn, which `end` ends. */
  begin(): Promise<Turn> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.letBegin();
    });
  }

  end(turn: Turn): void {
    this.underWay.delete(turn);
    this.letBegin();
  }

  /**
   * Turns that are late count no longer, so that groups of lanes on a server that hangs do not keep
   * those on other servers waiting. To be called every so often.
   */
  passLate(now = performance.now()): void {
    const late = [...this.underWay].filter(({ begunAt }) => now - begunAt > LATE_MS);
    late.forEach((turn) => this.end(turn));
  }

  private letBegin(): void {
    while (this.underWay.size < this.most) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      const turn = { begunAt: performance.now() };
      this.underWay.add(turn);
      next(turn);
    }
  }
}
