import { createHash, randomFillSync } from 'node:crypto';
import type { Clock } from '#calendar/clock.js';
import { UuidV7, uuidV8 } from '#web/uuid.js';
import type { Change } from './change.js';
import { commandIdOf } from '../command-id.js';

/** Makes ids of commands: permanent ones from an idempotency key, else random ones. */
export class CommandIds {
  private readonly fresh: UuidV7;

  constructor(clock: Clock) {
    this.fresh = new UuidV7(
      () => Math.floor(clock.now()),
      (bytes) => void randomFillSync(bytes),
    );
  }

  /** `scope`: the account's id, or `accounts` for those that open one. */
  next(scope: string, { idempotencyKey }: Change): string {
    return idempotencyKey === null ? this.fresh.next() : commandIdOf(scope, idempotencyKey);
  }
}

/**
 * Id of the row that holds the names and texts of a command. A retry finds the row of its first
 * attempt; the same idempotency key over another text finds none, and touches none. `before`: the
 * row that it was made from, where it keeps some of it.
 */
export function profileIdOf(commandId: string, { input }: Change, before = ''): string {
  return uuidV8(createHash('sha256').update(`profile ${commandId} ${input}${before}`).digest());
}
