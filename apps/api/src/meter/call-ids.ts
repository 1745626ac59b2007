import { createHash, randomFillSync } from 'node:crypto';
import { UuidV7, uuidV8 } from '#web/uuid.js';

/** Names calls: one under an idempotency key has the same name for ever, every other a new one. */
export class CallIds {
  readonly #fresh: UuidV7;

  /** `now`: ms since 1970. */
  constructor(now: () => number) {
    this.#fresh = new UuidV7(now, randomFillSync);
  }

  next(accountId: string, idempotencyKey: string | null): string {
    if (idempotencyKey === null) return this.#fresh.next();
    // An account's id has a fixed length, so that no two pairs join to the same text.
    return uuidV8(
      createHash('sha256')
        .update(accountId + idempotencyKey)
        .digest(),
    );
  }
}
