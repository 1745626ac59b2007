import type pg from 'pg';

/** As a cluster says it of one of its servers that it has lost: the connection goes on. */
export const COORDINATOR_AWAY = {
  message: 'The coordinator of the cluster is away',
  code: '08006',
} as const;

/** Thrown of work that has to be done through the coordinator, which is away. */
export class CoordinatorAwayError extends Error {
  override readonly name = 'CoordinatorAwayError';
  readonly code = COORDINATOR_AWAY.code;
  readonly severity = 'ERROR';

  constructor() {
    super(`${COORDINATOR_AWAY.message}.`);
  }
}

/** Whether a connection leads to a worker of a cluster, which stands in for the coordinator. */
export async function isAtWorker(db: pg.Pool | pg.ClientBase): Promise<boolean> {
  const { rows } = await db.query<{ known: boolean }>(
    `select to_regclass('pg_dist_local_group') is not null as known`,
  );
  if (rows[0]?.known !== true) return false;
  const { rowCount } = await db.query('select from pg_dist_local_group where groupid <> 0');
  return rowCount === 1;
}

/**
 * For whoever takes a lock that is of no table, or changes tables: each server has locks of its
 * own, and only the coordinator changes tables everywhere. Throws CoordinatorAwayError.
 */
export async function requireCoordinator(db: pg.Pool | pg.ClientBase): Promise<void> {
  if (!(await isAtWorker(db))) return;
  throw new CoordinatorAwayError();
}
