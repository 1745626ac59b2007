import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { distribute } from '#database/cluster/distribute.js';
import { urlNaming, workersOf } from '../join-cluster.js';
import { FaultyProxy } from './faulty-proxy.js';

const run = promisify(execFile);
/** The processes connect as this user. */
const SERVICE = 'torture_service';

/** A database as the processes of a run need it. */
export interface ServedDatabase {
  /** As its owner. */
  readonly url: string;
  /** Where everybody finds it. */
  readonly port: number;
  readonly serviceUrl: string;
  /** The same by way of another port. */
  urlBy(port: number): string;
  end(): Promise<void>;
}

/**
 * An empty database of somebody else's servers, on this machine: the coordinator's of a cluster.
 * Its faults are those that a command makes.
 */
export class GivenDatabase implements ServedDatabase {
  /** Addresses of the workers of a cluster: URLs of the service name them, too. */
  private workers: readonly string[] = [];

  private constructor(
    private readonly given: string,
    private readonly front: FaultyProxy,
    /** Kills one of its servers and starts it again; null: none is. */
    private readonly killing: string | null,
  ) {}

  static async start(given: string, port: number, killing: string | null): Promise<GivenDatabase> {
    const database = new GivenDatabase(
      given,
      await FaultyProxy.start(port, Number(new URL(given).port)),
      killing,
    );
    await database.asOwner(async (client) => {
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [SERVICE]);
      if (rowCount === 0) await client.query(`create role ${SERVICE} login`);
      await client.query(`grant pg_read_all_stats to ${SERVICE}`);
      const workers = await workersOf(client);
      database.workers = workers.map(({ host, port }) => `${host}:${port}`);
    });
    return database;
  }

  get url(): string {
    const url = new URL(this.given);
    url.port = String(this.port);
    return url.href;
  }

  get port(): number {
    return this.front.port;
  }

  get serviceUrl(): string {
    return this.urlBy(this.port);
  }

  urlBy(port: number): string {
    const url = new URL(this.given);
    url.port = String(port);
    url.username = SERVICE;
    return urlNaming(url.href, [url.host, ...this.workers]);
  }

  get hasKilling(): boolean {
    return this.killing !== null;
  }

  /** Spreads its tables where it is one of a cluster. */
  async spread(): Promise<void> {
    await this.asOwner(async (client) => {
      const known = await client.query(`select from pg_extension where extname = 'citus'`);
      if (known.rowCount === 1) await distribute(client);
    });
  }

  /** Resolves when the server runs again, as the command says. */
  async killServer(): Promise<void> {
    await run('sh', ['-c', this.killing ?? 'true']);
  }

  async end(): Promise<void> {
    await this.front.stop();
  }

  private async asOwner(work: (client: pg.Client) => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: this.given });
    client.on('error', () => undefined);
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  }
}
