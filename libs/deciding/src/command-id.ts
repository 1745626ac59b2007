import { createHash } from 'node:crypto';
import { uuidV8 } from '#web/uuid.js';

function nameOf(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  // Lengths keep ("a", "bc") and ("ab", "c") apart.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part}`);
  return uuidV8(hash.digest());
}

/** The one id under which a call can be given back, so that the log refuses a second time. */
export function adjustmentIdOf(callId: string): string {
  return nameOf('adjustment', callId);
}

/** The one id under which it stands that a call was answered to more than one request. */
export function replayIdOf(callId: string): string {
  return nameOf('replay', callId);
}

/** The id of an operator's command under an idempotency key; `scope` is the account's id. */
export function commandIdOf(scope: string, idempotencyKey: string): string {
  return nameOf('admin', scope, idempotencyKey);
}
