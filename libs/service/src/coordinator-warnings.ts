import type pg from 'pg';
import { isAtWorker } from '#database/cluster/coordinator.js';

const WARNING =
  'The coordinator of the cluster does not answer: calls go on through a worker. New accounts, names ' +
  'and keys, documents, deliveries and sign-ins wait for it.';

/** Warns while a worker stands in for the coordinator of a cluster. */
export async function coordinatorWarnings(pool: pg.Pool): Promise<readonly string[]> {
  return (await isAtWorker(pool)) ? [WARNING] : [];
}
