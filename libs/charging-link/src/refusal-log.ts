import { ChargingFault } from './charging-fault.js';

const EVERY_MS = 60_000;

interface ReportedRefusal {
  at: number;
  more: number;
}

/** Lines of refused peers: at most one a minute for each reason, so that no flood fills the log. */
export class RefusalLog {
  private readonly reported = new Map<string, ReportedRefusal>();

  /** `now`: in milliseconds, never back. */
  constructor(
    private readonly onFault: (error: unknown) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** `reason`: one of few. `line`: a sentence with what is particular to this peer. */
  report(reason: string, line: string, cause?: Error): void {
    const last = this.reported.get(reason) ?? { at: -Infinity, more: 0 };
    this.reported.set(reason, last);
    if (this.now() - last.at < EVERY_MS) {
      last.more += 1;
      return;
    }
    const more = last.more === 0 ? '' : ` ${last.more} more for this reason since the last line.`;
    this.reported.set(reason, { at: this.now(), more: 0 });
    this.onFault(new ChargingFault(`${line}${more}`, cause && { cause }));
  }
}
