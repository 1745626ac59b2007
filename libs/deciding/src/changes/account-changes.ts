import { OutcomeUnknownError } from '#account/charging.js';
import type { Command } from '#account/commands.js';
import type { Refusal } from '#account/refusal.js';
import type { AccountState } from '#account/state.js';
import type { Clock } from '#calendar/clock.js';
import { problem, ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import type { Accounting } from '../accounting.js';
import type { Answer } from '../submission.js';
import { originOf, type Change } from './change.js';
import { CommandIds } from './command-ids.js';
import { entityTag } from './entity-tag.js';

export type Done = Extract<Answer, { readonly refusal: null }>;

/** The parts of a change on which its decision depends. */
type Conditions = Pick<Change, 'idempotencyKey' | 'ifMatch'>;

/** The validator of what a change is about, in a state of its account. */
export type TagOf = (state: AccountState) => string;

const accountTag: TagOf = ({ version }) => entityTag(version);

/** How long an operator waits for a change whose commit was lost from sight. */
const WAIT_MS = 10_000;

/** A command but for who asks for it, and why. */
type Asked<Of> = Of extends { readonly origin: unknown } ? Omit<Of, 'origin'> : never;

/** A change of one account: the id that it has for ever, and how it is made. */
export interface AccountChange {
  readonly id: string;
  /** As `AccountChanges.submit`. */
  submit(command: Asked<Command>, tagOf?: TagOf): Promise<Done>;
}

/** Hands operators' commands to the accounting and turns what it refuses into problems. */
export class AccountChanges {
  private readonly ids: CommandIds;

  constructor(
    private readonly accounting: Pick<Accounting, 'submit'>,
    private readonly clock: Clock,
    /** The adjustment, named by its call, that a command has made. */
    private readonly correctionUnder: (
      accountId: string,
      commandId: string,
    ) => Promise<string | undefined>,
  ) {
    this.ids = new CommandIds(clock);
  }

  /** What every change of an account comes with: its id, and its origin in the command. */
  of(accountId: string, change: Change): AccountChange {
    const id = this.ids.next(accountId, change);
    const origin = originOf(change);
    const submit: AccountChange['submit'] = (command, tagOf) =>
      this.submit(accountId, id, change, { ...command, origin } as Command, tagOf);
    return { id, submit };
  }

  /**
   * Resolves once the change is durable. `tagOf`: the validator of what is changed. Throws a
   * ProblemException for a refusal, and AccountingUnavailableError.
   */
  async submit(
    accountId: string,
    callId: string,
    conditions: Conditions,
    command: Command,
    tagOf: TagOf = accountTag,
  ): Promise<Done> {
    const mayExist = conditions.idempotencyKey !== null;
    const outcome = await this.trySubmit(accountId, callId, mayExist, conditions, command, tagOf);
    if (outcome.refusal !== null) throw new ProblemException(refusalProblem(outcome.refusal));
    return outcome;
  }

  /** The same with refusals as values. `mayExist`: the id may be in the log. */
  async trySubmit(
    accountId: string,
    callId: string,
    mayExist: boolean,
    { ifMatch }: Pick<Conditions, 'ifMatch'>,
    command: Command,
    tagOf: TagOf = accountTag,
  ): Promise<Done | { readonly refusal: Refusal }> {
    if (mayExist && (await this.correctionUnder(accountId, callId)) !== undefined) {
      return { refusal: { reason: 'idempotency-conflict' } };
    }
    const notAfter = this.clock.now() + WAIT_MS;
    try {
      return await this.accounting.submit({
        accountId,
        callId,
        mayExist,
        notAfter,
        precondition: ifMatch && ((state) => ifMatch.includes(tagOf(state))),
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
