import type pg from 'pg';
import { isAtWorker } from '#database/cluster/coordinator.js';
import type { Metrics } from './metrics/metrics.js';

const WARNING =
  'The coordinator of the cluster does not answer: calls go on through a worker. New accounts, names ' +
  'and keys, documents, deliveries and sign-ins wait for it.';

/** Warns while a worker stands in for the coordinator of a cluster. */
export async function coordinatorWarnings(pool: pg.Pool): Promise<readonly string[]> {
  return (await isAtWorker(pool)) ? [WARNING] : [];
}

/** Reports whether a worker stands in for the coordinator. */
export function watchCoordinator(metrics: Metrics, pool: pg.Pool): void {
  metrics.sampled(
    'popindex_coordinator_away',
    'Whether the coordinator of a cluster does not answer (1): calls go on through a worker.',
    'gauge',
    async () => [{ labels: {}, value: Number(await isAtWorker(pool)) }],
  );
}
