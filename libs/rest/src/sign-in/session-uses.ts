import type pg from 'pg';
import { momentOfMs } from '#database/moment-of.js';

/** A session in steady use costs one small write in this time. */
const NOTED_MS = 60_000;
/**
 * How long a session lives after its last noted request: 30 minutes, and the one in which further
 * requests are not noted.
 */
export const IDLE_MS = 30 * 60_000 + NOTED_MS;

/**
 * SQL for whether a session has neither expired nor been idle for too long at `now`, a parameter in
 * ms since 1970. `usedAt`: SQL for when it was last used.
 */
export function isInUse(usedAt: string, now: string): string {
  const moment = momentOfMs(now);
  return `(expires_at > ${moment} and ${usedAt} > ${moment} - interval '${IDLE_MS} ms')`;
}

const NOW = momentOfMs('$2');

/** When sessions were last used, to the minute, in the table that holds them. */
export class SessionUses {
  /** `onFault`: receives writes that failed; the request goes on. */
  constructor(
    private readonly pool: pg.Pool,
    private readonly table: 'portal_session' | 'console_session',
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** Notes a request at `now`, unless one was noted within a minute. Both in ms since 1970. */
  async note(cookieHash: Buffer, usedAt: number, now: number): Promise<void> {
    if (now - usedAt < NOTED_MS) return;
    const write = this.pool.query({
      name: `${this.table}-use`,
      // Of requests that come together the first one writes.
      text: `update ${this.table} set used_at = ${NOW}
              where cookie_hash = $1
                and (used_at is null or used_at <= ${NOW} - interval '${NOTED_MS} ms')`,
      values: [cookieHash, now],
    });
    await write.then(undefined, this.onFault);
  }
}
