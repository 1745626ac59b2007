import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { distribute, SHARDS } from '#database/cluster/distribute.js';
import { migrate } from '#database/migrate.js';
import type { Stage } from './stage.js';

const run = promisify(execFile);

/** A server of the cluster that holds lanes. */
interface Worker {
  readonly id: number;
  readonly host: string;
  readonly port: number;
}

/** A database of its own on somebody else's server, or on all servers of a cluster. */
export class ClusterDatabase {
  private constructor(
    readonly url: string,
    readonly workers: readonly Worker[],
  ) {}

  /** `admin`: a database of a server, or of the coordinator of a cluster, in which Citus is. */
  static async make(stage: Stage, admin: string): Promise<ClusterDatabase> {
    const name = `popindex_bench_${process.pid}`;
    const workers = await workersOf(admin);
    const everywhere = [admin, ...workers.map((worker) => at(admin, worker))];
    const drop = `drop database if exists ${name} with (force)`;
    for (const server of everywhere) await query(server, `create database ${name}`);
    stage.shutdown.last('the database', async () => {
      for (const server of everywhere) await query(server, drop);
    });
    const url = new URL(admin);
    url.pathname = `/${name}`;
    const database = new ClusterDatabase(url.href, workers);
    if (workers.length > 0) await database.join();
    await migrate(url.href);
    if (workers.length > 0) await database.spread();
    return database;
  }

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return query<Row>(this.url, text, values);
  }

  /** Lanes of a server. */
  async lanesOf({ id }: Worker): Promise<ReadonlySet<number>> {
    const rows = await this.query<{ lane: number }>(
      `select lane from generate_series(0, 64) as lane
         join pg_dist_placement p
           on p.shardid = get_shard_id_for_distribution_column('event', lane::int2)
         join pg_dist_node n using (groupid) where n.nodeid = $1`,
      [id],
    );
    return new Set(rows.map(({ lane }) => lane));
  }

  /** Moves some shards with what lies beside them to another server, while they are written. */
  async moveShards(from: Worker, to: Worker, count: number): Promise<void> {
    const shards = await this.query<{ shard: string }>(
      `select shardid::text as shard from pg_dist_shard join pg_dist_placement using (shardid)
         join pg_dist_node using (groupid)
        where logicalrelid = 'event'::regclass and nodeid = $1 order by shardid limit $2`,
      [from.id, count],
    );
    for (const { shard } of shards) {
      await this.query(`select citus_move_shard_placement($1, $2, $3, 'force_logical')`, [
        shard,
        from.id,
        to.id,
      ]);
    }
  }

  private async join(): Promise<void> {
    const { hostname, port } = new URL(this.url);
    for (const worker of this.workers) {
      await query(at(this.url, worker), 'create extension citus');
    }
    await this.query('create extension citus');
    await this.query('select citus_set_coordinator_host($1, $2)', [hostname, port]);
    for (const { host, port: own } of this.workers) {
      await this.query('select citus_add_node($1, $2)', [host, own]);
    }
    // Their ids are those of this database.
    const workers = await workersOf(this.url);
    this.workers.forEach((worker, index) => Object.assign(worker, workers[index]));
  }

  private async spread(): Promise<void> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    await client.query(`set citus.multi_shard_modify_mode = 'sequential'`);
    await distribute(client, { shards: SHARDS.usual });
    await client.end();
  }
}

/** Runs a command of the shell with the port of the server that it is about. */
export async function command(text: string, { port }: Worker): Promise<void> {
  await run('sh', ['-c', text, 'sh', String(port)]);
}

async function workersOf(url: string): Promise<Worker[]> {
  const [known] = await query<{ is: boolean }>(
    url,
    `select to_regclass('pg_dist_node') is not null as is`,
  );
  if (known?.is !== true) return [];
  return query<Worker>(
    url,
    `select nodeid as id, nodename as host, nodeport as port from pg_dist_node
      where groupid > 0 and noderole = 'primary' order by groupid`,
  );
}

function at(url: string, { host, port }: Worker): string {
  const other = new URL(url);
  other.hostname = host;
  other.port = String(port);
  return other.href;
}

async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
