import type { Origin } from '#account/events.js';
import type { Clock } from '#calendar/clock.js';
import { AppendUncertainError, type StoredEvent } from '#event-log/event-log.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import { unknownOutcome } from '../accounts/account-changes.js';
import type { Change } from '../accounts/change.js';

/** What a change appends; null: there is nothing to do. Refuses with a ProblemException. */
export type DecideChange = (
  events: readonly StoredEvent[],
) => { readonly type: string; readonly data: Origin } | null;

export interface Changed {
  /** Null: there was nothing to do. */
  readonly event: StoredEvent | null;
  /** All of the stream up to the event, which is included. */
  readonly history: readonly StoredEvent[];
  /** Whether an earlier request under the same key made it. */
  readonly replayed: boolean;
}

/** Appends what operators change about the system itself, each change once under its id. */
export class SystemChanges {
  constructor(
    private readonly system: Pick<SystemStream, 'append'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves once the change is durable. Throws a ProblemException: what `decide` refuses with, or
   * that the idempotency key named another request.
   */
  async append(callId: string, change: Change, decide: DecideChange): Promise<Changed> {
    let earlier: StoredEvent | undefined;
    let before: readonly StoredEvent[] = [];
    try {
      const event = await this.system.append((events) => {
        const at = events.findIndex((known) => known.callId === callId);
        earlier = events[at];
        before = at < 0 ? events : events.slice(0, at);
        if (earlier !== undefined) return null;
        const decided = decide(events);
        return decided && { callId, at: this.clock.now(), ...decided };
      });
      const made = event ?? earlier ?? null;
      if (earlier !== undefined) refuseOther(earlier, callId, change);
      const history = made === null ? before : [...before, made];
      return { event: made, history, replayed: earlier !== undefined };
    } catch (error) {
      throw error instanceof AppendUncertainError ? unknownOutcome(callId) : error;
    }
  }
}

function refuseOther(earlier: StoredEvent, callId: string, { input }: Change): void {
  if ((JSON.parse(earlier.data) as Origin).input === input) return;
  throw new ProblemException(refusalProblem({ reason: 'idempotency-conflict', callId }));
}
