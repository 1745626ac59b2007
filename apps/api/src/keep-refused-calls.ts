import { WorkerLoop } from '#event-log/worker-loop.js';
import { RefusedCalls } from '#rest/refusals/refused-calls.js';
import type { Foundations } from '#service/foundations.js';
import type { Shutdown } from '#web/shutdown.js';

const FLUSH_MS = 1_000;
const RETRY_MOST_MS = 30_000;

/** Counts refused calls, and writes them every second beside the calls, until the shutdown. */
export function keepRefusedCalls(
  { logger, pool, telemetry }: Pick<Foundations, 'logger' | 'pool' | 'telemetry'>,
  shutdown: Shutdown,
): RefusedCalls {
  const calls = new RefusedCalls(pool);
  const loop = new WorkerLoop({
    turn: () => calls.flush().then(() => 0),
    onFault: (error) => logger.warn({ err: error }, 'Refused calls were not written.'),
    pollMs: FLUSH_MS,
    retryFirstMs: FLUSH_MS,
    retryMostMs: RETRY_MOST_MS,
  });
  loop.start();
  shutdown.stop('the counts of refused calls', async () => {
    await loop.stop();
    await calls.flush();
  });
  telemetry.metrics.sampled(
    'popindex_refusals_uncounted_total',
    'Refused calls that no list counts, because too many of them were waiting to be written.',
    'counter',
    () => [{ labels: {}, value: calls.uncounted }],
  );
  return calls;
}
