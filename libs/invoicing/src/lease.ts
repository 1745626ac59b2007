import type pg from 'pg';
import { requireCoordinator } from '#database/cluster/coordinator.js';
import { withTransaction } from '#database/database.js';

/**
 * Work that only one process should do at a time; correctness never depends on it, but on
 * `periods`: a period is closed while nothing is dated in it. While the coordinator of a cluster is
 * away nobody holds one: CoordinatorAwayError.
 */
const KEYS = { run: 7_001, numbers: 7_002, retention: 7_003, periods: 7_004 } as const;

/** Waits until nobody else holds a lease, then works under it. `client`: what holds it. */
export async function underLease<Result>(
  pool: pg.Pool,
  lease: keyof typeof KEYS,
  work: (client: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  return atCoordinator(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [KEYS[lease]]);
    return work(client);
  });
}

/** The same, beside others who share the lease. */
export async function underSharedLease<Result>(
  pool: pg.Pool,
  lease: keyof typeof KEYS,
  work: () => Promise<Result>,
): Promise<Result> {
  return atCoordinator(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock_shared($1)', [KEYS[lease]]);
    return work();
  });
}

/** Works under a lease if nobody else holds it, else answers undefined at once. */
export async function ifLeased<Result>(
  pool: pg.Pool,
  lease: keyof typeof KEYS,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  return atCoordinator(pool, async (client) => {
    const { rows } = await client.query<{ held: boolean }>(
      'select pg_try_advisory_xact_lock($1) as held',
      [KEYS[lease]],
    );
    return rows[0]?.held === true ? work() : undefined;
  });
}

/** Each server of a cluster has locks of its own. */
function atCoordinator<Result>(
  pool: pg.Pool,
  work: (client: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  return withTransaction(pool, async (client) => {
    await requireCoordinator(client);
    return work(client);
  });
}
