import { availableParallelism } from 'node:os';
import type pg from 'pg';
import { openDatabase } from '#database/database.js';
import type { Threads } from '#projections/lane-threads/lane-threads.js';

const CONNECTIONS = 8;

/** Lends connections whose statements may take their time. */
export async function withPatience<Result>(
  url: string,
  work: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const pool = openDatabase({
    url,
    applicationName: 'popindex log tools',
    connectionsMax: CONNECTIONS,
  });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** The command has nothing else to do: a thread for each processor. */
export function threadsFor(databaseUrl: string): Threads {
  return { databaseUrl, count: availableParallelism() };
}
