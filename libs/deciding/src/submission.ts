import type { ChainPlace } from '#account/charging.js';
import type { Command } from '#account/commands.js';
import type { AccountEvent } from '#account/events.js';
import type { Refusal } from '#account/refusal.js';
import type { AccountState } from '#account/state.js';
import type { Precondition } from './precondition.js';

/** One command on its way to a lane writer: plain data. */
export interface Submission {
  readonly accountId: string;
  /** The command's name for ever; its event carries it. */
  readonly callId: string;
  /** Whether it may have been decided before, so that the log is asked first. */
  readonly isRetry: boolean;
  /** Ms since 1970 after which its caller no longer waits. */
  readonly notAfter: number;
  readonly command: Command;
  /** Condition on the account's state for a decision; absent: none. */
  readonly precondition?: Precondition | undefined;
  /** Id of an event that takes its reason away: with it in the log, nothing is done. */
  readonly skipIfLogged?: string;
}

/** Members of an account's state that go with an answer; the others stay with who decides. */
export type AnsweredState = Pick<AccountState, 'test' | 'overdraft'>;

/** The outcome of a command. It is durable by the time its caller reads this. */
export type Answer<State = AnsweredState> =
  /** `test`: of a test account, where that is known. */
  | { readonly refusal: Refusal; readonly test?: boolean }
  | {
      readonly refusal: null;
      /** The command's own event; null when there was nothing to do. */
      readonly event: AccountEvent | null;
      /** The account after it. */
      readonly state: State;
      /** True when an earlier command of the same id made the event. */
      readonly replayed: boolean;
      /** Where the event stands; absent where it was not written for this submission. */
      readonly place?: ChainPlace | undefined;
    };

/** Port through which commands are decided. */
export interface Decider {
  /** Resolves once it is durable. Throws AccountingUnavailableError, OutcomeUnknownError. */
  submit(submission: Submission): Promise<Answer>;
}

/** A submission that waits for its answer. */
export interface Pending {
  readonly submission: Submission;
  readonly resolve: (answer: Answer<AccountState>) => void;
  readonly reject: (error: Error) => void;
  /** Whether the log has to be asked for its id before anything is decided. */
  isRetry: boolean;
  /**
   * Head of its lane when a commit that held it went away, else null. It may be charged although
   * nobody got an answer, and as long as the lane stands there that commit may still happen.
   */
  uncertainSinceHead: string | null;
}
