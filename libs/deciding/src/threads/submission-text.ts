import type { ChargeRequest } from '#account/charging.js';
import type { Submission } from '../submission.js';
import type { Whole } from './whole.js';

// A text is cheaper to pass to a thread than objects, and half as long without names of members.

type Call = readonly [
  callId: ChargeRequest['callId'],
  accountId: ChargeRequest['accountId'],
  apiKey: ChargeRequest['apiKey'],
  key: ChargeRequest['key'],
  asked: ChargeRequest['asked'],
  resource: ChargeRequest['resource'],
  rows: ChargeRequest['rows'],
  window: ChargeRequest['window'],
  release: ChargeRequest['release'],
  maxCredits: ChargeRequest['maxCredits'],
  tags: ChargeRequest['tags'],
  mayExist: ChargeRequest['mayExist'],
  requestId: string | null,
  notAfter: ChargeRequest['notAfter'],
];

/** A submission and its number: plain data for a batch that is written as JSON. */
export type SentSubmission =
  readonly [id: number, call: Call] | readonly [id: number, call: null, submission: Submission];

/** A submission as it is sent to a decider, under a number that its answer repeats. */
export function sentSubmission(id: number, submission: Submission): SentSubmission {
  const { accountId, callId, mayExist, notAfter, command, precondition, unless } = submission;
  if (command.command !== 'make-call') return [id, null, submission];
  const { request } = command;
  const isWhole =
    precondition === undefined &&
    unless === undefined &&
    accountId === request.accountId &&
    callId === request.callId &&
    mayExist === request.mayExist &&
    notAfter === request.notAfter;
  return isWhole ? [id, callOf(request)] : [id, null, submission];
}

/** The submission that was sent. */
export function receivedSubmission([, call, submission]: SentSubmission): Submission {
  if (call === null) return submission;
  const request = requestOf(call);
  const { accountId, callId, mayExist, notAfter } = request;
  return { accountId, callId, mayExist, notAfter, command: { command: 'make-call', request } };
}

function callOf(request: ChargeRequest): Call {
  return [
    request.callId,
    request.accountId,
    request.apiKey,
    request.key,
    request.asked,
    request.resource,
    request.rows,
    request.window,
    request.release,
    request.maxCredits,
    request.tags,
    request.mayExist,
    request.requestId ?? null,
    request.notAfter,
  ];
}

function requestOf(call: Call): Whole<ChargeRequest> {
  const [callId, accountId, apiKey, key, asked, resource, rows, window, ...others] = call;
  const [release, maxCredits, tags, mayExist, requestId, notAfter] = others;
  return {
    callId,
    accountId,
    apiKey,
    key,
    asked,
    resource,
    rows,
    window,
    release,
    maxCredits,
    tags,
    mayExist,
    requestId: requestId ?? undefined,
    notAfter,
  };
}
