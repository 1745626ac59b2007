import { OutcomeUnknownError } from '#account/charging.js';
import type { Command } from '#account/commands.js';
import { namesChange, type Refusal } from '#account/refusal.js';
import type { AccountState } from '#account/state.js';
import type { ProfileReference } from '#account/terms.js';
import type { Clock } from '#calendar/clock.js';
import { profileReference, type Profile, type Profiles } from '#projections/texts/profiles.js';
import { ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import type { TaggedPart } from '../precondition.js';
import type { Answer, Decider } from '../submission.js';
import { originOf, type Change } from './change.js';
import { profileIdOf } from './command-ids.js';
import type { FindCorrection } from './correction-under.js';
import { unknownOutcome } from './unknown-outcome.js';

export type AcceptedAnswer = Extract<Answer, { readonly refusal: null }>;

/** How long an operator waits for a change whose commit was lost from sight. */
const WAIT_MS = 10_000;

/** A command without its origin, which the change adds. */
type WithoutOrigin<Of> = Of extends unknown ? Omit<Of, 'origin'> : never;
export type AskedCommand = WithoutOrigin<Command>;

export interface AccountChangeParts {
  readonly accounting: Decider;
  readonly profiles: Pick<Profiles, 'save'>;
  readonly clock: Clock;
  /** The adjustment, named by its call, that a command has made. */
  readonly correctionUnder: FindCorrection;
}

/** One change of an account: its id, texts, origin and conditions, and what refusals become. */
export class AccountChange {
  constructor(
    private readonly parts: AccountChangeParts,
    private readonly accountId: string,
    /** Of the command, for ever: what it makes has the same id. */
    readonly id: string,
    private readonly change: Change,
    /** Whether the log may hold the id already. */
    private readonly isRetry: boolean,
  ) {}

  /**
   * Keeps names and texts of the change. Of a closed account nothing new is kept: it may have been
   * erased, and what is changed is refused, unless it is a retry whose row is there. `before`:
   * the row that the profile was made from.
   */
  async keep(
    profile: Profile,
    { closedAt }: Pick<AccountState, 'closedAt'>,
    before?: string,
  ): Promise<ProfileReference> {
    const id = profileIdOf(this.id, this.change, before);
    if (closedAt !== null) return profileReference(id, profile);
    return this.parts.profiles.save(id, this.accountId, profile);
  }

  /**
   * Resolves once the change is durable. `of`: what `If-Match` is about. Throws a
   * ProblemException for a refusal, and AccountingUnavailableError.
   */
  async submit(command: AskedCommand, of?: TaggedPart): Promise<AcceptedAnswer> {
    const outcome = await this.trySubmit(command, of);
    if (outcome.refusal !== null) throw new ProblemException(refusalProblem(outcome.refusal));
    return outcome;
  }

  /** The same with refusals as values. */
  async trySubmit(
    asked: AskedCommand,
    of: TaggedPart = 'account',
  ): Promise<AcceptedAnswer | { readonly refusal: Refusal }> {
    const { accountId, id: callId, isRetry, change } = this;
    const { accounting, clock, correctionUnder } = this.parts;
    const earlier = isRetry ? await correctionUnder(accountId, callId) : undefined;
    if (earlier !== undefined) return { refusal: namesChange(earlier) };
    const { ifMatch } = change;
    const precondition = ifMatch && { of, tags: ifMatch };
    const notAfter = clock.now() + WAIT_MS;
    const command = { ...asked, origin: originOf(change) } as Command;
    const submission = { accountId, callId, isRetry, notAfter, precondition, command };
    try {
      return await accounting.submit(submission);
    } catch (error) {
      throw error instanceof OutcomeUnknownError ? unknownOutcome(callId) : error;
    }
  }
}
