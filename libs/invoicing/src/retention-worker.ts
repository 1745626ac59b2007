import { WorkerLoop } from '#event-log/worker-loop.js';
import type { Clock } from '#calendar/clock.js';
import type { Retention } from './retention.js';

const DAY_MS = 24 * 3_600_000;
const RETRY_FIRST_MS = 10_000;
const RETRY_MOST_MS = 3_600_000;

/** Looks once a day, and with each start, whether the legal term of documents is over. */
export function retentionWorker(
  retention: Pick<Retention, 'run'>,
  clock: Clock,
  onFault: (error: unknown) => void,
): WorkerLoop {
  return new WorkerLoop({
    turn: () => retention.run(clock.now()),
    onFault,
    pollMs: DAY_MS,
    retryFirstMs: RETRY_FIRST_MS,
    retryMostMs: RETRY_MOST_MS,
  });
}
