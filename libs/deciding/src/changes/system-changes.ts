import type { Origin } from '#account/events.js';
import type { Clock } from '#calendar/clock.js';
import { AppendUncertainError, type StoredEvent } from '#event-log/event-log.js';
import type { Fold } from '#event-log/fold.js';
import type { AppendedOnce, SystemStream } from '#event-log/system-stream.js';
import { ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import { unknownOutcome } from './account-changes.js';
import type { Change } from './change.js';

/** Appends what operators change about the system itself, each change once under its id. */
export class SystemChanges {
  constructor(
    private readonly system: Pick<SystemStream, 'appendOnce'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves once the change is durable. `decide` answers null where there is nothing to do. Throws
   * a ProblemException: what `decide` refuses with, or that the idempotency key named another
   * request.
   */
  async append<Value>(
    callId: string,
    change: Change,
    fold: Fold<Value>,
    decide: (value: Value) => { readonly type: string; readonly data: Origin } | null,
  ): Promise<AppendedOnce<Value>> {
    try {
      const made = await this.system.appendOnce(callId, fold, (value) => {
        const decided = decide(value);
        return decided && { at: this.clock.now(), ...decided };
      });
      if (made.replayed && made.event !== null) refuseOther(made.event, change);
      return made;
    } catch (error) {
      throw error instanceof AppendUncertainError ? unknownOutcome(callId) : error;
    }
  }
}

function refuseOther(earlier: StoredEvent, { input }: Change): void {
  if ((JSON.parse(earlier.data) as Origin).input === input) return;
  throw new ProblemException(refusalProblem({ reason: 'idempotency-conflict' }));
}
