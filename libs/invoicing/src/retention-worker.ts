import { WorkerLoop } from '#event-log/worker-loop.js';
import type { Clock } from '#calendar/clock.js';
import type { Retention } from './retention.js';

const DAY_MS = 24 * 3_600_000;
const RETRY_FIRST_MS = 10_000;
const RETRY_MOST_MS = 3_600_000;

/** Looks once a day, and with each start, whether the legal term of documents is over. */
export class RetentionWorker {
  private readonly loop: WorkerLoop;

  constructor(
    retention: Pick<Retention, 'run'>,
    clock: Clock,
    onFault: (error: unknown) => void,
    pollMs = DAY_MS,
  ) {
    this.loop = new WorkerLoop({
      turn: () => retention.run(clock.now()),
      onFault,
      pollMs,
      retryFirstMs: RETRY_FIRST_MS,
      retryMostMs: RETRY_MOST_MS,
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Resolves when what is under way is finished. */
  stop(): Promise<void> {
    return this.loop.stop();
  }
}
