import { decide, type Decision } from '#account/decide.js';
import { refuseReplay } from '#account/replay.js';
import type { AccountState } from '#account/state.js';
import { terms } from '#account/scenario.suite.js';
import { readEvent } from '#projections/snapshots/account-tail.js';
import { adjustmentIdOf, replayIdOf } from '#deciding/command-id.js';
import { correctedCalls, LOST_CALL } from '#deciding/fold.js';
import type { Answer, AnsweredState } from '#deciding/submission.js';
import type { Attempt } from './attempts.js';
import { BrokenRule, hold } from '../../bench/model/broken-rule.js';
import type { LogAuditor } from './log-auditor.js';

/** A state without the set of keys, whose extent depends on what was looked up. */
function core({ opened: _opened, ...rest }: AccountState): string {
  return JSON.stringify(rest);
}

/** Holds each answer, at the moment it is given out, against the log. */
export class AnswerAuditor {
  constructor(
    private readonly log: LogAuditor,
    /** Of the history that was lost when this one began. */
    private readonly lost: AnswerAuditor | null = null,
  ) {}

  /** `clock`: what the process's clock said while it had the attempt. */
  check(
    attempt: Attempt,
    answer: Answer<AccountState | AnsweredState>,
    clock: readonly number[],
  ): void {
    try {
      this.checkHere(attempt, answer, clock);
    } catch (error) {
      // A caller who asked before the log went back may get an answer from the old log.
      const wasBefore = attempt.sentInHistory < this.log.history;
      if (!(error instanceof BrokenRule) || !wasBefore || this.lost === null) throw error;
      this.lost.check(attempt, answer, clock);
    }
  }

  private checkHere(
    attempt: Attempt,
    answer: Answer<AccountState | AnsweredState>,
    clock: readonly number[],
  ): void {
    if (answer.refusal !== null) {
      const reason = JSON.stringify(answer.refusal);
      const justified =
        this.decides(attempt, clock, ({ refusal }) => JSON.stringify(refusal) === reason) ||
        this.replays(attempt, clock).includes(reason) ||
        (reason === JSON.stringify(LOST_CALL) && this.isLost(attempt));
      hold(justified, () => `${nameOf(attempt)} was refused without a reason: ${reason}.`);
      return;
    }
    // The state stays with a decider in a thread.
    if ('version' in answer.state) this.checkState(attempt, answer.state);
    if (answer.event === null) {
      const justified = this.decides(
        attempt,
        clock,
        ({ own, refusal }) => own === null && refusal === null,
      );
      hold(justified, () => `${nameOf(attempt)} had something to do.`);
      return;
    }
    this.checkEvent(attempt, answer);
  }

  /** Whether the call that was to be given back went with the history that was lost. */
  private isLost({ submission }: Attempt): boolean {
    const corrected = correctedCalls(submission.command);
    return corrected.some((id) => this.log.event(id) === undefined);
  }

  private checkEvent(
    { submission }: Attempt,
    answer: Exclude<Answer<AccountState | AnsweredState>, { event: null }>,
  ): void {
    if (answer.refusal !== null) return;
    const stored = this.log.event(submission.callId);
    const { event, replayed } = answer;
    const text = JSON.stringify(event);
    hold(stored !== undefined, () => `${text} was answered, but it is not in the log.`);
    hold(text === JSON.stringify(readEvent(stored)), () => `${text} is not what the log holds.`);
    if (event?.type !== 'CallMade' || submission.command.command !== 'make-call') return;
    const isOwn = event.data.request === submission.command.request.requestId;
    const isRecorded = isOwn || this.log.event(replayIdOf(submission.callId)) !== undefined;
    hold(
      isRecorded,
      () => `${submission.callId} is answered to another request, and nothing says so.`,
    );
    if (replayed) return;
    // The caller sends the data it has prepared: it must be the data that is charged.
    const { key, release } = submission.command.request;
    const own = event.data.key === key && event.data.release === release;
    hold(own, () => `${submission.callId} asked for ${key} and is answered with ${text}.`);
  }

  /** Whatever was committed before the question was sent is known to the answer. */
  private checkState(attempt: Attempt, state: AccountState): void {
    const { accountId } = attempt.submission;
    const known = this.log.knownTo(attempt);
    const { version } = state;
    hold(version >= known, () => `The answer knows ${version} of ${known} events.`);
    hold(version <= this.log.version(accountId), () => `Version ${version} is not committed.`);
    const right = core(this.log.stateAt(accountId, version));
    hold(core(state) === right, () => `The answer's state ${core(state)} should be ${right}.`);
  }

  /** Whether such a decision would have been right at some moment while the attempt was open. */
  private decides(
    attempt: Attempt,
    clock: readonly number[],
    isSuch: (decision: Decision) => boolean,
  ): boolean {
    const { command } = attempt.submission;
    // Mostly it was decided on the newest state at the newest moment.
    const moments = clock.toReversed();
    return this.states(attempt)
      .toReversed()
      .some((state) => moments.some((now) => isSuch(decide(state, command, now, terms))));
  }

  /** Every refusal that a retry may have got while the attempt was open. */
  private replays(attempt: Attempt, clock: readonly number[]): string[] {
    const { command, callId } = attempt.submission;
    const stored = this.log.event(callId);
    if (stored === undefined) return [];
    const refusals: string[] = [];
    const first = readEvent(stored);
    const adjustments =
      this.log.event(adjustmentIdOf(callId)) === undefined ? [false] : [false, true];
    for (const state of this.states(attempt)) {
      for (const now of clock) {
        for (const adjusted of adjustments) {
          refusals.push(JSON.stringify(refuseReplay(state, first, command, callId, adjusted, now)));
        }
      }
    }
    return refusals;
  }

  private states(attempt: Attempt): AccountState[] {
    const { accountId, command } = attempt.submission;
    const key = command.command === 'make-call' ? command.request.key : undefined;
    const states: AccountState[] = [];
    const known = this.log.knownTo(attempt);
    const last = this.log.version(accountId);
    for (let version = known; version <= last; version += 1) {
      states.push(this.log.stateAt(accountId, version, key));
    }
    return states;
  }
}

function nameOf({ submission, process }: Attempt): string {
  return `${submission.command.command} ${submission.callId} to P${process}`;
}
