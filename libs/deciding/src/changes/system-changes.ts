import { namesChange } from '#account/refusal.js';
import type { Origin } from '#account/terms.js';
import type { Clock } from '#calendar/clock.js';
import { AppendUncertainError, type StoredEvent } from '#event-log/event-log.js';
import type { Fold } from '#event-log/fold.js';
import type { AppendedOnce, SystemStream } from '#event-log/system-stream.js';
import { ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import { originOf, type Change } from './change.js';
import { CommandIds, profileIdOf } from './command-ids.js';
import { entityTag } from '../entity-tag.js';
import { unknownOutcome } from './unknown-outcome.js';

/** Data of an event without its origin, which the change adds. */
export type WithoutOrigin<Data extends Origin> = Omit<Data, keyof Origin>;

/** An event that is to be appended. */
interface DecidedEvent {
  readonly type: string;
  /** Ms since 1970; now unless given. */
  readonly at?: number;
  readonly data: object;
}

/** One change of the system itself: its id, origin and conditions. */
export class SystemChange {
  constructor(
    private readonly system: Pick<SystemStream, 'appendOnce'>,
    private readonly clock: Clock,
    /** Of the command, for ever: what it makes has the same id. */
    readonly id: string,
    private readonly change: Change,
  ) {}

  /** Id of the row that holds the names and texts of the change. */
  get profileId(): string {
    return profileIdOf(this.id, this.change);
  }

  /**
   * Appends the event of the change once. Resolves when it is durable. `decide` answers null where
   * there is nothing to do. `versionOf`: of what is changed, for `If-Match`. Throws a
   * ProblemException: what `decide` refuses with, another version, or that the idempotency key
   * named another request.
   */
  async append<Value>(
    fold: Fold<Value>,
    decide: (value: Value) => DecidedEvent | null,
    versionOf?: (value: Value) => number,
  ): Promise<AppendedOnce<Value>> {
    try {
      const made = await this.system.appendOnce(this.id, fold, (value) => {
        if (versionOf !== undefined) this.requireVersion(versionOf(value));
        const decided = decide(value);
        if (decided === null) return null;
        const { type, at = this.clock.now(), data } = decided;
        return { type, at, data: { ...originOf(this.change), ...data } };
      });
      if (made.replayed && made.event !== null) this.requireSame(made.event);
      return made;
    } catch (error) {
      throw error instanceof AppendUncertainError ? unknownOutcome(this.id) : error;
    }
  }

  private requireVersion(version: number): void {
    const tag = entityTag(version);
    if (this.change.ifMatch?.includes(tag) !== false) return;
    throw new ProblemException(refusalProblem({ reason: 'version-moved', tag }));
  }

  private requireSame(earlier: StoredEvent): void {
    if ((JSON.parse(earlier.data) as Partial<Origin>).input === this.change.input) return;
    throw new ProblemException(refusalProblem(namesChange(earlier)));
  }
}

/** Appends what operators change about the system itself, each change once under its id. */
export class SystemChanges {
  private readonly ids: CommandIds;

  constructor(
    private readonly system: Pick<SystemStream, 'appendOnce'>,
    private readonly clock: Clock,
  ) {
    this.ids = new CommandIds(clock);
  }

  /** `scope`: an idempotency key names one change among those of the same scope. */
  of(scope: string, change: Change): SystemChange {
    return new SystemChange(this.system, this.clock, this.ids.next(scope, change), change);
  }
}
