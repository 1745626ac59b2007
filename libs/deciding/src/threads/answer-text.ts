import { callOfRow, rowOfCall, type CallRow } from '#account/call-rows.js';
import type { CallMade } from '#account/calls.js';
import {
  AccountDamagedError,
  AccountingUnavailableError,
  type ChainPlace,
  OutcomeUnknownError,
} from '#account/charging.js';
import { errorOf, plainError, type PlainError } from '#workers/plain-error.js';
import type { Answer, AnsweredState } from '../submission.js';

type Call = readonly [
  test: AnsweredState['test'],
  overdraft: AnsweredState['overdraft'],
  at: number,
  key: CallMade['key'],
  place: readonly [version: ChainPlace['version'], head: ChainPlace['head']] | 0,
  ...CallRow,
];

type Failure =
  | { readonly failure: 'damaged'; readonly accountId: string; readonly reason: string }
  | { readonly failure: 'unavailable'; readonly detail: string; readonly retryAfter: number }
  | { readonly failure: 'unknown'; readonly callId: string }
  | { readonly failure: 'error'; readonly error: PlainError };

/** The outcome of a submission: plain data that is written as JSON. */
export type SentAnswer = readonly [call: Call] | readonly [call: null, other: Answer | Failure];

/** An answer as a decider sends it: a call that was just made of rows without names of members. */
export function sentAnswer(answer: Answer): SentAnswer {
  if (answer.refusal !== null) return [null, answer];
  const { event, replayed, state, place } = answer;
  const { test, overdraft } = state;
  // What was made earlier may have members of another version.
  if (event?.type !== 'CallMade' || replayed || hasMore(event.data)) {
    return [null, { refusal: null, event, replayed, state: { test, overdraft } }];
  }
  const { at, data } = event;
  const placed = place === undefined ? 0 : ([place.version, place.head] as const);
  return [[test, overdraft, at, data.key, placed, ...rowOfCall(data)]];
}

/** Whether a call has members that its array lacks: units, or a hold. */
function hasMore({ units, hold }: CallMade): boolean {
  return units !== undefined || hold !== undefined;
}

/** An error as a decider sends it. */
export function sentFailure(error: unknown): SentAnswer {
  return [null, failureOf(error)];
}

/** The answer that was sent, as a value or as what was thrown. */
export function receivedAnswer([call, other]: SentAnswer): Answer | Error {
  if (call !== null) return answerOf(call);
  return 'failure' in other ? errorOfFailure(other) : other;
}

function answerOf([test, overdraft, at, key, place, ...call]: Call): Answer {
  const event = { type: 'CallMade', at, data: callOfRow(key, call) } as const;
  const answer = { refusal: null, event, replayed: false, state: { test, overdraft } };
  return place === 0 ? answer : { ...answer, place: { version: place[0], head: place[1] } };
}

function failureOf(error: unknown): Failure {
  if (error instanceof AccountDamagedError) {
    const { accountId, reason } = error;
    return { failure: 'damaged', accountId, reason };
  }
  if (error instanceof AccountingUnavailableError) {
    const { message: detail, retryAfterSeconds: retryAfter } = error;
    return { failure: 'unavailable', detail, retryAfter };
  }
  if (error instanceof OutcomeUnknownError) return { failure: 'unknown', callId: error.callId };
  return { failure: 'error', error: plainError(error) };
}

function errorOfFailure(sent: Failure): Error {
  switch (sent.failure) {
    case 'damaged':
      return new AccountDamagedError(sent.accountId, sent.reason);
    case 'unavailable':
      return new AccountingUnavailableError(sent.detail, sent.retryAfter);
    case 'unknown':
      return new OutcomeUnknownError(sent.callId);
    case 'error':
      return errorOf(sent.error);
  }
}
