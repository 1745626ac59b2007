import { AccountingUnavailableError, OutcomeUnknownError } from '#account/charging.js';
import type { AccountState } from '#account/state.js';
import { terms } from '#account/scenario.suite.js';
import type { Clock } from '#calendar/clock.js';
import { AppendUncertainError, LogUnavailableError, type EventLog } from '#event-log/event-log.js';
import { LaneWatch } from '#event-log/lane-watch.js';
import type { LostPositions } from '#event-log/lane-continuity.js';
import type { AccountSource } from '#projections/loading/account-source.js';
import { Accounting, type AccountingLimits, type AccountingParts } from '#deciding/accounting.js';
import type { Answer, Decider, AnsweredState } from '#deciding/submission.js';
import type { DeciderLink } from '#deciding/threads/decider-link.js';
import type { Attempt } from './attempts.js';
import { BrokenRule } from '../../bench/model/broken-rule.js';
import type { Connection } from './connection.js';

export interface ProcessParts {
  readonly limits: AccountingLimits;
  /** Called for each life of the process: what it builds is gone when it crashes. */
  readonly connect: (owner: object) => {
    readonly log: EventLog;
    readonly source: AccountSource;
    readonly connection: Connection;
    readonly clock: Clock;
  };
  readonly create: (parts: AccountingParts) => Accounting;
  /** Where deciders are threads: the way to one of a life of the process. */
  readonly mail: ((decider: Decider, owner: object) => DeciderLink) | null;
  readonly onAnswer: (
    attempt: Attempt,
    answer: Answer<AccountState | AnsweredState>,
    clock: readonly number[],
  ) => void;
  /** The attempt has ended without an answer. */
  readonly onEnd: (attempt: Attempt) => void;
  /** It has found that the log went back. */
  readonly onLost: (lost: readonly LostPositions[]) => void;
  readonly onFailure: (error: unknown) => void;
}

interface Life {
  readonly owner: object;
  readonly decider: Decider | DeciderLink;
  readonly clockReads: number[];
  readonly attempts: Set<Attempt>;
  /** Nobody is left who could hear it. */
  isOver: boolean;
}

/** One accounting process, the real one, that may crash between any two steps. */
export class SimulatedProcess {
  private life: Life;

  constructor(private readonly parts: ProcessParts) {
    this.life = this.begin();
  }

  get owner(): object {
    return this.life.owner;
  }

  submit(attempt: Attempt): void {
    const { life } = this;
    life.attempts.add(attempt);
    attempt.clockReads = life.clockReads.length;
    // An answer that an older life would still give reaches nobody.
    life.decider.submit(attempt.submission).then(
      (answer) => this.guarded(life, () => this.answered(life, attempt, answer)),
      (error: unknown) => this.guarded(life, () => this.failed(life, attempt, error)),
    );
  }

  /** Its memory is gone. Those who wait for it never hear of it again. */
  crash(): void {
    const { attempts } = this.life;
    this.life.isOver = true;
    this.life = this.begin();
    for (const attempt of attempts) {
      attempt.ending = 'lost';
      this.parts.onEnd(attempt);
    }
  }

  /** Its decider is gone, and with it what that knew; the main thread hears it and serves on. */
  endDecider(): void {
    const { decider } = this.life;
    this.life = this.begin();
    if ('end' in decider) decider.end();
  }

  private begin(): Life {
    const owner = {};
    const clockReads: number[] = [];
    const { log, source, connection, clock } = this.parts.connect(owner);
    const recorded = {
      now: () => {
        const now = clock.now();
        clockReads.push(now);
        return now;
      },
    };
    const { onLost, onFailure } = this.parts;
    const retryWait = () => connection.pause();
    const watch = new LaneWatch({ log, onLost, onFault: onFailure, retryWait });
    const accounting = this.parts.create({
      log,
      loader: source,
      clock: recorded,
      terms: () => terms,
      limits: this.parts.limits,
      watch,
      retryWait,
      events: {
        onFault: (error) => {
          if (error instanceof LogUnavailableError || error instanceof AppendUncertainError) return;
          onFailure(error);
        },
      },
    });
    const decider = this.parts.mail?.(accounting, owner) ?? accounting;
    return { owner, decider, clockReads, attempts: new Set(), isOver: false };
  }

  private guarded(life: Life, then: () => void): void {
    if (life.isOver) return;
    try {
      then();
    } catch (error) {
      this.parts.onFailure(error);
    }
  }

  private answered(
    life: Life,
    attempt: Attempt,
    answer: Answer<AccountState | AnsweredState>,
  ): void {
    life.attempts.delete(attempt);
    attempt.ending = answer.refusal === null ? 'answered' : 'refused';
    this.parts.onAnswer(attempt, answer, life.clockReads.slice(attempt.clockReads));
  }

  private failed(life: Life, attempt: Attempt, error: unknown): void {
    life.attempts.delete(attempt);
    const { callId, command } = attempt.submission;
    if (error instanceof AccountingUnavailableError) attempt.ending = 'unavailable';
    else if (error instanceof OutcomeUnknownError) attempt.ending = 'unknown';
    else throw new BrokenRule(`${command.command} ${callId} failed: ${String(error)}`);
    this.parts.onEnd(attempt);
  }
}
