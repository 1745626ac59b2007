import { uuidOfParts } from '#web/uuid.js';

/** The one id under which a call can be given back, so that the log refuses a second time. */
export function adjustmentIdOf(callId: string): string {
  return uuidOfParts('adjustment', callId);
}

/** The id of the promotional grant that the credits of a credited purchase are kept as. */
export function keptGrantIdOf(creditNoteId: string, grantId: string): string {
  return uuidOfParts('kept', creditNoteId, grantId);
}

/** The one id under which it stands that a call was answered to more than one request. */
export function replayIdOf(callId: string): string {
  return uuidOfParts('replay', callId);
}

/** The id of an operator's command under an idempotency key; `scope` is the account's id. */
export function commandIdOf(scope: string, idempotencyKey: string): string {
  return uuidOfParts('admin', scope, idempotencyKey);
}
