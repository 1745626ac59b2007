import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

const POLL_MS = 20;
const SETTLED_MS_MAX = 120_000;

/** Resolves when every projection stands at the end of the log. Answers the seconds it took. */
export async function settled(pool: pg.Pool): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { rowCount } = await pool.query(
      `select from lane join checkpoint using (lane)
        where checkpoint.position < lane.position limit 1`,
    );
    const ms = performance.now() - startedAt;
    if (rowCount === 0) return ms / 1000;
    if (ms > SETTLED_MS_MAX) throw new Error('The projections do not catch up with the log.');
    await delay(POLL_MS);
  }
}
