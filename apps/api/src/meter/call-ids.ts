import { createHash, randomFillSync } from 'node:crypto';
import { UuidV7, uuidV8 } from '#web/uuid.js';

const POOL_BYTES = 4096;

/** Random bytes from a pool: one call for thousands of bytes costs what one for sixteen does. */
class RandomPool {
  readonly #pool = Buffer.alloc(POOL_BYTES);
  #used = POOL_BYTES;

  readonly fill = (bytes: Uint8Array): void => {
    if (this.#used + bytes.length > POOL_BYTES) {
      randomFillSync(this.#pool);
      this.#used = 0;
    }
    bytes.set(this.#pool.subarray(this.#used, this.#used + bytes.length));
    this.#used += bytes.length;
  };
}

/** Names calls: one under an idempotency key has the same name for ever, every other a new one. */
export class CallIds {
  readonly #fresh: UuidV7;

  /** `now`: ms since 1970. */
  constructor(now: () => number) {
    this.#fresh = new UuidV7(now, new RandomPool().fill);
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
