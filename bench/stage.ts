import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openDatabase } from '#database/database.js';
import { migrate } from '#database/migrate.js';
import { EmbeddedPostgres } from '#embedded-postgres/embedded-postgres.js';
import type { Shutdown } from '#web/shutdown.js';

export interface BenchmarkOptions {
  /** Rounds that are counted; a first one to warm up comes on top where it matters. */
  readonly rounds: number;
  /** Seconds of load in a round. */
  readonly seconds: number;
  /** Accounts that share the connections of a load. */
  readonly accounts: number;
  /** Calls in a log before it is measured; null: the number of each benchmark. */
  readonly events: number | null;
  /** Processors that everything runs on: some goals depend on them. */
  readonly cores: number;
  /** Threads that decide. */
  readonly deciders: number;
  /** Directory of a release, or null for the demo data, enlarged. */
  readonly dir: string | null;
  /** Directory of the programs of a PostgreSQL that has Citus, or null. */
  readonly postgres: string | null;
  /** Directory of another checkout that is built, or null. */
  readonly against: string | null;
}

export interface BenchmarkDatabase {
  readonly url: string;
  /** Process id of the postmaster. */
  readonly pid: number;
  /** A service can be started on it once the database is stopped. */
  readonly dataDir: string;
  stop(): Promise<void>;
}

/** Of 16 MB each: what PostgreSQL keeps of them by `min_wal_size`. */
const WAL_SEGMENTS = 16;

/**
 * Fills segments of the write-ahead log and has them used again, as those of a service that has run
 * for a while. Of a new database each one is made under load, for which all commits wait.
 */
async function makeSegments(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (let made = 0; made < WAL_SEGMENTS; made += 1) {
      await client.query(`select pg_logical_emit_message(false, 'bench', '')`);
      await client.query('select pg_switch_wal()');
    }
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/** Where one benchmark runs: what is made here is removed by the shutdown. */
export class Stage {
  constructor(
    readonly options: BenchmarkOptions,
    readonly shutdown: Shutdown,
    /** Shows a line of progress. */
    readonly report: (line: string) => void,
  ) {}

  /** A new folder of its own. */
  async folder(): Promise<string> {
    const folder = await mkdtemp(path.join(tmpdir(), 'popindex-bench-'));
    this.shutdown.last(`the folder ${folder}`, () => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  /** A new embedded PostgreSQL, migrated and as durable as in service. */
  async database(): Promise<BenchmarkDatabase> {
    return this.databaseIn(await this.folder());
  }

  /** The same in a folder that may hold one already. */
  async databaseIn(dataDir: string): Promise<BenchmarkDatabase> {
    const postgres = await EmbeddedPostgres.start({ dataDir });
    this.shutdown.last('the embedded database', () => postgres.stop());
    await migrate(postgres.url);
    await makeSegments(postgres.url);
    return { url: postgres.url, pid: postgres.pid, dataDir, stop: () => postgres.stop() };
  }

  /** `commitsWait`: as for `openDatabase`. */
  pool(url: string, connectionsMax: number, commitsWait = true): pg.Pool {
    const applicationName = 'popindex bench';
    const pool = openDatabase({ url, applicationName, connectionsMax, commitsWait });
    this.shutdown.stop('connections of the benchmark', () => pool.end());
    return pool;
  }
}
