import { HttpException } from '@nestjs/common';
import {
  AccountDamagedError,
  AccountingUnavailableError,
  OutcomeUnknownError,
} from '#account/charging.js';
import { isDatabaseTrouble } from '#database/errors.js';
import { LogUnavailableError } from '#event-log/event-log.js';
import { BadCursorError, BadMomentError, UsageTimeoutError } from './read-errors.js';
import { invalidParameters, type ParameterFault } from './parameter-fault.js';
import { NOTHING_HERE, type Problem, ProblemException, problem } from './problem.js';
import { sentParameter } from './query.js';
import { accountingUnavailable } from './refusal-problem.js';

/**
 * The problem that an error stands for; `internal` for whatever nobody has foreseen. `url`: the
 * request's, whose parameters are shown as they were sent.
 */
export function errorProblem(error: unknown, url: string): Problem {
  if (error instanceof ProblemException) return error.problem;
  if (error instanceof AccountDamagedError) {
    return accountingUnavailable(DAMAGED, error.retryAfterSeconds);
  }
  if (error instanceof AccountingUnavailableError) {
    return accountingUnavailable(
      'Charging does not answer. Nothing was charged.',
      error.retryAfterSeconds,
    );
  }
  if (error instanceof OutcomeUnknownError) return outcomeUnknown(error.callId);
  const fault = faultOfQuery(error, url);
  if (fault !== undefined) return invalidParameters([fault]);
  // Nothing is wrong with what was asked: the database is away, or lacks a right, and comes back.
  if (error instanceof LogUnavailableError || isDatabaseTrouble(error)) {
    return accountingUnavailable('The database does not answer.');
  }
  if (error instanceof HttpException) return statusProblem(error.getStatus(), error.message);
  return internal();
}

/** A fault of a query that only a look at the account could find. */
function faultOfQuery(error: unknown, url: string): ParameterFault | undefined {
  if (error instanceof BadCursorError) {
    return { in: 'query', name: 'after', value: error.cursor, detail: error.message };
  }
  if (error instanceof BadMomentError) {
    const value = sentParameter(url, 'as_of');
    return { in: 'query', name: 'as_of', value, detail: `${error.message}.` };
  }
  if (error instanceof UsageTimeoutError) {
    return { in: 'query', name: 'from', value: null, detail: TOO_MUCH };
  }
  return undefined;
}

const DAMAGED =
  'The record of this account is damaged, and has to be repaired by the operator. Nothing was charged.';

const TOO_MUCH =
  'Sums by key or tag, and of parts of days, are made from the single calls, and these were too ' +
  'many for one answer: ask for a shorter time with "from" and "to".';

export function outcomeUnknown(callId: string): Problem {
  const detail =
    'The service settles it by itself: a charge that stands is given back, unless a retry under ' +
    'the same idempotency key fetched the answer first.';
  return problem('outcome-unknown', detail, { call_id: callId });
}

function internal(): Problem {
  return problem('internal', 'The error is in the log under the id of this request.');
}

/** The framework distinguishes its refusals by status alone. */
function statusProblem(status: number, message: string): Problem {
  switch (status) {
    case 400:
      return invalidParameters([
        { in: 'request', name: 'message', value: null, detail: `${message}.` },
      ]);
    case 404:
      return NOTHING_HERE;
    case 413:
      return problem('too-large', 'The body is larger than 1 MiB.');
    case 414:
      return problem('uri-too-long', 'The address is too long.');
    case 415:
      return problem('unsupported-media-type', 'A body is taken as application/json only.');
    default:
      return internal();
  }
}
