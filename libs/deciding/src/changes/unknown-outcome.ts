import { problem, ProblemException } from '#web/problem.js';

/** The refusal of a change that may have been made. `callId`: of its command. */
export function unknownOutcome(callId: string): ProblemException {
  const detail =
    'It is not known whether the change was made. Ask again under the same Idempotency-Key, or ' +
    'read what it would change before asking for it once more.';
  return new ProblemException(problem('outcome-unknown', detail, { call_id: callId }));
}
