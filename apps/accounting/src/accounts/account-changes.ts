import { OutcomeUnknownError } from '#account/charging.js';
import type { Command } from '#account/commands.js';
import type { Refusal } from '#account/refusal.js';
import type { Clock } from '#calendar/clock.js';
import { problem, ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import type { Accounting } from '../charging/accounting.js';
import type { Answer } from '../charging/submission.js';

export type Done = Extract<Answer, { readonly refusal: null }>;

/** How long an operator waits for a change whose commit was lost from sight. */
const WAIT_MS = 10_000;

/** Hands operators' commands to the accounting and turns what it refuses into problems. */
export class AccountChanges {
  constructor(
    private readonly accounting: Pick<Accounting, 'submit'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves once the change is durable. `mayExist`: the id may be in the log. Throws a
   * ProblemException for a refusal, and AccountingUnavailableError.
   */
  async submit(
    accountId: string,
    callId: string,
    mayExist: boolean,
    command: Command,
  ): Promise<Done> {
    const outcome = await this.trySubmit(accountId, callId, mayExist, command);
    if (outcome.refusal !== null) throw new ProblemException(refusalProblem(outcome.refusal));
    return outcome;
  }

  /** The same with refusals as values. */
  async trySubmit(
    accountId: string,
    callId: string,
    mayExist: boolean,
    command: Command,
  ): Promise<Done | { readonly refusal: Refusal }> {
    const notAfter = this.clock.now() + WAIT_MS;
    try {
      return await this.accounting.submit({ accountId, callId, mayExist, notAfter, command });
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
