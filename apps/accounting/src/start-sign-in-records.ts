import { WorkerLoop } from '#event-log/worker-loop.js';
import type { Foundations } from '#service/foundations.js';
import type { Shutdown } from '#web/shutdown.js';
import { retentionWorker } from '#invoicing/retention-worker.js';
import { SignInRecords } from '#rest/sign-in/sign-in-records.js';

const FLUSH_MS = 10_000;
const RETRY_MOST_MS = 60_000;
const KEPT_MS = 90 * 24 * 3_600_000;

/** Writes counted sign-ins every few seconds and deletes them after 90 days, until the shutdown. */
export function startSignInRecords(foundations: Foundations, shutdown: Shutdown): SignInRecords {
  const { clock, logger, pool } = foundations;
  const records = new SignInRecords(pool);
  const flush = async (): Promise<number> => {
    await records.flush();
    return 0;
  };
  const loop = new WorkerLoop({
    turn: flush,
    onFault: (error) => logger.warn({ err: error }, 'Counted sign-ins were not written.'),
    pollMs: FLUSH_MS,
    retryFirstMs: FLUSH_MS,
    retryMostMs: RETRY_MOST_MS,
  });
  const forget = async (now: number): Promise<number> => {
    await records.forgetBefore(now - KEPT_MS);
    return 0;
  };
  const worker = retentionWorker({ run: forget }, clock, (error) =>
    logger.warn({ err: error }, 'Old sign-ins were not forgotten.'),
  );
  loop.start();
  worker.start();
  shutdown.stop('the counts of sign-ins', async () => {
    await Promise.all([loop.stop(), worker.stop()]);
    await records.flush();
  });
  return records;
}
