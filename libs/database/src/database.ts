import pg from 'pg';
import { faultOf, needsNewConnection } from './errors.js';
import { RenewingPool } from './renewing-pool.js';

export interface DatabaseOptions {
  /** The database: `postgresql://user:password@host:port/name`; several hosts with commas. */
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Most connections at once, 10 by default. */
  readonly connectionsMax?: number;
  /** The server ends a statement after this long. Without it a statement may take for ever. */
  readonly statementTimeoutMs?: number;
  /** The server ends a transaction whose client says nothing for this long, and frees its locks. */
  readonly idleTransactionTimeoutMs?: number;
  /** How long a connection may take to open, or to become free, 5,000 ms by default. */
  readonly connectTimeoutMs?: number;
  /**
   * False where a crash of the server may take the last commits back: they are visible at once, and
   * written to its disk with the next ones that wait for it. True by default.
   */
  readonly commitsWait?: boolean;
  /** Called for each idle connection that was lost. */
  readonly onIdleError?: (error: Error) => void;
}

export type Isolation = 'read committed' | 'repeatable read' | 'serializable';

const INT8_OID = 20;
/** A server that hangs does not obey its own timeout: the client gives up this much later. */
const SILENCE_MS = 2_000;

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === INT8_OID && format !== 'binary'
      ? parseSafeInteger
      : pg.types.getTypeParser(oid, format),
};

/**
 * Opens a pool of connections; nothing is connected before the first use. `bigint` columns arrive
 * as numbers, and one beyond 2^53 − 1 fails its query with a RangeError. Of several servers that
 * the URL names it connects to the one that takes writes. The caller ends the pool.
 */
export function openDatabase(options: DatabaseOptions): pg.Pool {
  const { statementTimeoutMs, idleTransactionTimeoutMs } = options;
  const config: pg.PoolConfig = {
    application_name: options.applicationName,
    max: options.connectionsMax ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    keepAlive: true,
    types,
    ...(idleTransactionTimeoutMs !== undefined && {
      idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
    }),
    ...(statementTimeoutMs === undefined
      ? {}
      : {
          statement_timeout: statementTimeoutMs,
          query_timeout: statementTimeoutMs + SILENCE_MS,
        }),
  };
  const prepare = options.commitsWait === false ? waitForNoCommit : undefined;
  const pool = new RenewingPool(options.url, config, prepare);
  // Without a listener the loss of an idle connection would end the process.
  pool.on('error', (error) => options.onIdleError?.(error));
  return pool;
}

async function waitForNoCommit(client: pg.ClientBase): Promise<void> {
  await client.query('set synchronous_commit to off');
}

/**
 * Lends one connection to `use`. A connection that broke, leads to a server that takes no writes,
 * or was left by `use` inside a transaction, is thrown away instead of going back to the pool.
 */
export async function withClient<Result>(
  pool: pg.Pool,
  use: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A loss is emitted beside failing the query under way; unheard it would end the process.
  const onError = (error: Error): void => {
    broken ??= error;
  };
  client.on('error', onError);
  try {
    return await use(client);
  } catch (error) {
    if (needsNewConnection(error)) broken ??= asError(error);
    throw error;
  } finally {
    client.release(broken ?? client.getTransactionStatus() !== 'I');
    client.off('error', onError);
  }
}

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. An error
 * that `faultOf` calls a lost connection leaves open whether the commit happened.
 */
export async function withTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
  isolation: Isolation = 'read committed',
): Promise<Result> {
  return withClient(pool, async (client) => {
    await client.query(`begin isolation level ${isolation}`);
    let result: Result;
    try {
      result = await work(client);
    } catch (error) {
      // A connection that fell silent would let the rollback wait as long as the statement did.
      if (faultOf(error) !== 'connection-lost') await rollBack(client);
      throw error;
    }
    const { command } = await client.query('commit');
    // The server answers a commit after a swallowed error with ROLLBACK, which is no error to it.
    if (command !== 'COMMIT') throw new Error('The transaction had failed and was rolled back.');
    return result;
  });
}

/** The error that made a rollback necessary matters more than one of the rollback itself. */
async function rollBack(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback');
  } catch {
    // The server rolls back by itself when the connection ends, which it will: see withClient.
  }
}

/** An error of another realm is no instance of ours, and the pool takes instances only. */
function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('connection terminated', { cause: error });
}

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond the safe integers.`);
  return value;
}
