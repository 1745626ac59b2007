import { OutcomeUnknownError } from '#account/charging.js';
import type { Command } from '#account/commands.js';
import type { Refusal } from '#account/refusal.js';
import type { Clock } from '#calendar/clock.js';
import { problem, ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import type { Accounting } from '../charging/accounting.js';
import type { Answer } from '../charging/submission.js';
import type { Change } from './change.js';

export type Done = Extract<Answer, { readonly refusal: null }>;

/** What of a change says how it is decided. */
type Conditions = Pick<Change, 'idempotencyKey' | 'expectedVersions'>;

/** How long an operator waits for a change whose commit was lost from sight. */
const WAIT_MS = 10_000;

/** Hands operators' commands to the accounting and turns what it refuses into problems. */
export class AccountChanges {
  constructor(
    private readonly accounting: Pick<Accounting, 'submit'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves once the change is durable. Throws a ProblemException for a refusal, and
   * AccountingUnavailableError.
   */
  async submit(
    accountId: string,
    callId: string,
    conditions: Conditions,
    command: Command,
  ): Promise<Done> {
    const mayExist = conditions.idempotencyKey !== null;
    const outcome = await this.trySubmit(accountId, callId, mayExist, conditions, command);
    if (outcome.refusal !== null) throw new ProblemException(refusalProblem(outcome.refusal));
    return outcome;
  }

  /** The same with refusals as values. `mayExist`: the id may be in the log. */
  async trySubmit(
    accountId: string,
    callId: string,
    mayExist: boolean,
    { expectedVersions }: Pick<Conditions, 'expectedVersions'>,
    command: Command,
  ): Promise<Done | { readonly refusal: Refusal }> {
    const notAfter = this.clock.now() + WAIT_MS;
    try {
      return await this.accounting.submit({
        accountId,
        callId,
        mayExist,
        notAfter,
        expectedVersions,
        command,
      });
    } catch (error) {
      if (error instanceof OutcomeUnknownError) throw unknownOutcome(callId);
      throw error;
    }
  }
}

export function unknownOutcome(callId: string): ProblemException {
  const detail =
    'It is not known whether the change was made. Ask again under the same Idempotency-Key, or ' +
    'read what it would change before asking for it once more.';
  return new ProblemException(problem('outcome-unknown', detail, { call_id: callId }));
}
