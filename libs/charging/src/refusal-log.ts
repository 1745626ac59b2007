import { ChargingFault } from './charging-fault.js';

const EVERY_MS = 60_000;

interface Told {
  at: number;
  more: number;
}

/** Lines of refused peers: at most one a minute for each reason, so that no flood fills the log. */
export class RefusalLog {
  private readonly told = new Map<string, Told>();

  /** `now`: in milliseconds, never back. */
  constructor(
    private readonly onFault: (error: unknown) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** `reason`: one of few. `line`: a sentence with what is particular to this peer. */
  tell(reason: string, line: string, cause?: Error): void {
    const told = this.told.get(reason) ?? { at: -Infinity, more: 0 };
    this.told.set(reason, told);
    if (this.now() - told.at < EVERY_MS) {
      told.more += 1;
      return;
    }
    const more = told.more === 0 ? '' : ` ${told.more} more for this reason since the last line.`;
    this.told.set(reason, { at: this.now(), more: 0 });
    this.onFault(new ChargingFault(`${line}${more}`, cause && { cause }));
  }
}
