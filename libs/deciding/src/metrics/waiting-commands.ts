import type { Metrics } from '#service/metrics/metrics.js';
import type { Accounting } from '../accounting.js';

/** Measures the queues of the lane writers. */
export function watchWaiting(metrics: Metrics, writers: Pick<Accounting, 'waiting'>): void {
  metrics.sampled(
    'popindex_waiting_commands',
    'Commands that wait for a lane writer.',
    'gauge',
    () => [{ labels: {}, value: writers.waiting }],
  );
}
