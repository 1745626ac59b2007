/** A turn that takes longer waits for a server that says nothing. */
const LATE_MS = 500;

/** One of the turns that are under way. */
export interface AppendSlot {
  readonly begunAt: number;
}

interface WaitingAppend {
  readonly begin: (turn: AppendSlot) => void;
  /** How much there is to do by now. */
  readonly gathered: () => number;
}

/**
 * So many at once; the others wait in the order in which they asked. Beside another turn one begins
 * only when it has gathered enough, as small ones cost nearly as much as large ones, and when one
 * ends the next one begins with what it has.
 */
export class AppendSlots {
  private readonly waiting: WaitingAppend[] = [];
  /** Few. A `Set` of them would leave tables behind that keep each other: see `UnansweredCalls`. */
  private readonly underWay: AppendSlot[] = [];

  constructor(
    private readonly most: number,
    private readonly minBatchWhileBusy = 0,
  ) {}

  /** Resolves when it is the caller's turn, which `end` ends. */
  begin(gathered: () => number = () => Infinity): Promise<AppendSlot> {
    return new Promise((begin) => {
      this.waiting.push({ begin, gathered });
      this.letBegin();
    });
  }

  /** To be called with each number of things to do that one who waits reaches. */
  reached(gathered: number): void {
    if (gathered === this.minBatchWhileBusy) this.letBegin();
  }

  end(turn: AppendSlot): void {
    const index = this.underWay.indexOf(turn);
    if (index === -1) return;
    this.underWay.splice(index, 1);
    this.letBegin(0);
  }

  /**
   * Turns that are late count no longer, so that groups of lanes on a server that hangs do not keep
   * those on other servers waiting. To be called every so often.
   */
  passLate(now = performance.now()): void {
    const late = this.underWay.filter(({ begunAt }) => now - begunAt > LATE_MS);
    late.forEach((turn) => this.end(turn));
  }

  /** `first`: what the first one has to have gathered. */
  private letBegin(first = this.underWay.length === 0 ? 0 : this.minBatchWhileBusy): void {
    for (let least = first; this.underWay.length < this.most; least = this.minBatchWhileBusy) {
      const index = this.waiting.findIndex(({ gathered }) => gathered() >= least);
      if (index === -1) return;
      const [next] = this.waiting.splice(index, 1);
      const turn = { begunAt: performance.now() };
      this.underWay.push(turn);
      next?.begin(turn);
    }
  }
}
