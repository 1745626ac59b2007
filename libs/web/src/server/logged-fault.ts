import { OutcomeUnknownError } from '#account/charging.js';
import type { Log } from '../log.js';
import { type Problem, ProblemException } from '../problem.js';

/**
 * Logs why a request was answered with 500 or more: an error with its stack, a refusal by its
 * detail, and the call that it was about, where that is known.
 */
export function logFault(log: Log, error: unknown, { slug, detail }: Problem, about: object): void {
  const callId = error instanceof OutcomeUnknownError ? { callId: error.callId } : {};
  const why = error instanceof ProblemException ? { detail } : { err: error };
  log.error({ ...why, ...about, ...callId }, slug);
}
