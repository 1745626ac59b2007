import { requestOfRow, rowOfRequest, type RequestRow } from '#account/call-rows.js';
import type { Submission } from '../submission.js';

// A text is cheaper to pass to a thread than objects, and half as long without names of members.

/** A submission: plain data that is written as JSON. */
export type SentSubmission =
  readonly [call: RequestRow] | readonly [call: null, submission: Submission];

/** A submission as it is sent to a decider. */
export function sentSubmission(submission: Submission): SentSubmission {
  const { accountId, callId, isRetry, notAfter, command, precondition, skipIfLogged } = submission;
  if (command.command !== 'make-call') return [null, submission];
  const { request } = command;
  const isWhole =
    precondition === undefined &&
    skipIfLogged === undefined &&
    accountId === request.accountId &&
    callId === request.callId &&
    isRetry === request.isRetry &&
    notAfter === request.notAfter;
  return isWhole ? [rowOfRequest(request)] : [null, submission];
}

/** The submission that was sent. */
export function receivedSubmission([call, submission]: SentSubmission): Submission {
  if (call === null) return submission;
  const request = requestOfRow(call);
  const { accountId, callId, isRetry, notAfter } = request;
  return { accountId, callId, isRetry, notAfter, command: { command: 'make-call', request } };
}
