import type { Clock } from '#calendar/clock.js';
import { laneOf, type EventLog } from '#event-log/event-log.js';
import type { CallMade } from '#account/events.js';
import { adjustmentIdOf } from '../accounts/command-id.js';
import type { Answer, Submission } from './submission.js';

const RETRY_MS = 1_000;
/** A statement that was under way when its connection went away has ended by then, either way. */
const LATE_COMMIT_MS = 30_000;
const REASON = 'The fate of the charge was unknown and its answer was never sent.';

/**
 * Calls whose caller was told that the outcome is unknown. Those that turn out to be charged are
 * given back, unless a retry under their id fetched the answer first.
 */
export class Settlement {
  private readonly unsettled = new Map<string, { submission: Submission; since: number }>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: EventLog,
    private readonly submit: (submission: Submission) => Promise<Answer>,
    private readonly clock: Clock,
    private readonly onFault: (error: unknown) => void,
  ) {}

  add(submission: Submission): void {
    if (submission.command.command !== 'make-call') return;
    this.unsettled.set(submission.callId, { submission, since: this.clock.now() });
    this.schedule();
  }

  /** A retry was given the answer: the charge stands. */
  delivered(callId: string): void {
    this.unsettled.delete(callId);
  }

  get size(): number {
    return this.unsettled.size;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.unsettled.clear();
  }

  private schedule(): void {
    if (this.unsettled.size === 0) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.settleAll(), RETRY_MS);
    this.timer.unref();
  }

  private async settleAll(): Promise<void> {
    for (const [callId, { submission, since }] of this.unsettled) {
      try {
        const settled = await this.settle(submission);
        const over = this.clock.now() - since > LATE_COMMIT_MS;
        if (settled || over) this.unsettled.delete(callId);
      } catch (error) {
        this.onFault(error);
      }
    }
    this.schedule();
  }

  /** True when the call stood in the log and is given back now. */
  private async settle({ accountId, callId }: Submission): Promise<boolean> {
    const [stored] = await this.log.findCalls([{ lane: laneOf(accountId), callId }]);
    if (stored === undefined) return false;
    const { cost } = JSON.parse(stored.data) as CallMade;
    const charged = cost[0] + cost[1];
    const adjustmentId = adjustmentIdOf(callId);
    await this.submit({
      accountId,
      callId: adjustmentId,
      mayExist: true,
      notAfter: this.clock.now() + RETRY_MS * 10,
      command: {
        command: 'adjust-credits',
        origin: { by: 'system', request: callId, input: adjustmentId, reason: REASON },
        credits: charged,
        call: { callId, charged },
        grantId: adjustmentId,
      },
    });
    return true;
  }
}
