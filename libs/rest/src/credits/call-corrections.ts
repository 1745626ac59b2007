import type pg from 'pg';
import type { AdjustCredits, CreditsAdjusted } from '#account/adjustments.js';
import type { Refusal } from '#account/refusal.js';
import { laneOf, type EventLog } from '#event-log/event-log.js';
import { ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import type { AcceptedAnswer } from '#deciding/changes/account-change.js';
import type { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Change } from '#deciding/changes/change.js';
import { adjustmentIdOf } from '#deciding/command-id.js';
import {
  correctionUnder as correctionIn,
  type FindCorrection,
} from '#deciding/changes/correction-under.js';
import { refuseUsedKey } from '#deciding/changes/used-key.js';

/** The command that gives a call back; the change adds its origin. */
type Correction = Omit<AdjustCredits, 'call' | 'origin'> & {
  readonly call: NonNullable<AdjustCredits['call']>;
};

/**
 * Gives calls back, each at most once: the adjustment is named by its call, so the log itself
 * refuses a second one. What names the operator's command is the id of the credits given.
 */
export class CallCorrections {
  constructor(
    private readonly changes: AccountChanges,
    private readonly log: Pick<EventLog, 'findCalls'>,
    private readonly pool: pg.Pool,
  ) {}

  /** Throws a ProblemException: `conflict` when the call was given back before. */
  async submit(
    accountId: string,
    change: Change,
    command: Correction,
  ): Promise<{ readonly id: string; readonly done: AcceptedAnswer }> {
    const id = adjustmentIdOf(command.call.callId);
    const correctionUnder: FindCorrection = (...named) => correctionIn(this.pool, ...named);
    const used = await refuseUsedKey(this.log, correctionUnder, accountId, command.grantId, id);
    if (used !== null) throw new ProblemException(refusalProblem(used));
    const outcome = await this.changes.of(accountId, change, id).trySubmit(command);
    if (outcome.refusal === null) return { id, done: outcome };
    const refusal = await this.explain(accountId, id, command, outcome.refusal);
    throw new ProblemException(refusalProblem(refusal));
  }

  /** An id that is taken is the same key over another body, or another operator was faster. */
  private async explain(
    accountId: string,
    id: string,
    command: Correction,
    refusal: Refusal,
  ): Promise<Refusal> {
    if (refusal.reason !== 'idempotency-conflict') return refusal;
    const [first] = await this.find(accountId, id);
    const made = first && (JSON.parse(first.data) as CreditsAdjusted);
    if (made?.grant_id === command.grantId) return refusal;
    return {
      reason: 'conflict',
      detail: `The call was given back already, by adjustment ${id}: nothing of it is left.`,
    };
  }

  private find(accountId: string, callId: string): ReturnType<EventLog['findCalls']> {
    return this.log.findCalls([{ lane: laneOf(accountId), callId }]);
  }
}
