import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { clusterStatus, type ClusterNode } from '#database/cluster/cluster-status.js';
import { distribute } from '#database/cluster/distribute.js';
import { migrate } from '#database/migrate.js';
import type { Binaries } from '#embedded-postgres/binaries.js';
import { ServerFailedError, ServerProcess } from '#embedded-postgres/server-process.js';
import {
  CITUS_SETTINGS,
  killServer,
  makeServer,
  serverPlan,
  urlOf,
  type RunningServer,
} from './cluster-servers.js';
import { joinCluster, query, urlNaming } from './join-cluster.js';
import type { Stage } from './stage.js';

const HOST = '127.0.0.1';
const STOP_MS = 10_000;
const AGAIN_MS = 200;
/** Those that Citus decodes the log with, where PostgreSQL wants them named. */
const PLUGINS = 'pgoutput, test_decoding, citus';

/** Starts a server of its own, which is stopped with the benchmark. */
async function startServer(
  stage: Stage,
  folder: string,
  name: string,
  binaries: Binaries,
  settings?: string,
): Promise<RunningServer> {
  const running = await makeServer(await serverPlan(folder, name, binaries), settings);
  stage.shutdown.last(`the server ${name}`, () => running.server.stop(STOP_MS));
  return running;
}

/** Starts a plain PostgreSQL of the same programs, and answers the URL of its migrated database. */
export async function startPlain(
  stage: Stage,
  folder: string,
  binaries: Binaries,
): Promise<string> {
  const { plan } = await startServer(stage, folder, 'plain', binaries);
  await migrate(urlOf(plan));
  return urlOf(plan);
}

/** A coordinator and two workers, each as durable as in service, and the tables spread. */
export class ClusterDatabase {
  private constructor(
    private readonly stage: Stage,
    private readonly coordinator: RunningServer,
    /** By port. */
    private readonly workers: Map<number, RunningServer>,
  ) {}

  static async start(stage: Stage, folder: string, binaries: Binaries): Promise<ClusterDatabase> {
    const make = (name: string): Promise<RunningServer> =>
      startServer(stage, folder, name, binaries, CITUS_SETTINGS);
    const coordinator = await make('coordinator');
    const workers = [await make('worker-1'), await make('worker-2')];
    const byPort = new Map(workers.map((running) => [running.plan.port, running]));
    const database = new ClusterDatabase(stage, coordinator, byPort);
    const addresses = workers.map(({ plan }) => ({ host: HOST, port: plan.port }));
    await joinCluster(database.url, addresses);
    await migrate(database.url);
    await database.withClient(distribute);
    for (const { plan } of [coordinator, ...workers]) await allowDecoding(urlOf(plan));
    return database;
  }

  get url(): string {
    return urlOf(this.coordinator.plan);
  }

  /** Names the workers, too. */
  get urlOfAll(): string {
    const ports = [this.coordinator.plan.port, ...this.workers.keys()];
    const servers = ports.map((port) => `${HOST}:${port}`);
    return urlNaming(this.url, servers);
  }

  /** Workers with the lanes of each, that with lane 0 first. */
  async nodes(): Promise<readonly [ClusterNode, ClusterNode]> {
    const { nodes } = await this.withClient(clusterStatus);
    const [one, two] = nodes.toSorted((node) => (node.lanes.includes(0) ? -1 : 1));
    if (one === undefined || two === undefined) throw new Error('There are two workers.');
    return [one, two];
  }

  /** `kill -9` of a worker, and of all that it has started. */
  kill({ port }: ClusterNode): void {
    const { server } = this.at(port);
    killServer(server.pid);
  }

  /** Starts a killed worker again. */
  async startAgain({ port }: ClusterNode): Promise<void> {
    const { plan } = this.at(port);
    for (;;) {
      try {
        const server = await ServerProcess.launch(plan);
        this.stage.shutdown.last(`the server at ${port}`, () => server.stop(STOP_MS));
        this.workers.set(port, { plan, server });
        return;
      } catch (error) {
        // What the killed one has started is not gone yet.
        if (!(error instanceof ServerFailedError && error.transient)) throw error;
        await delay(AGAIN_MS);
      }
    }
  }

  /** Moves some shards with what lies beside them to another worker, while they are written. */
  async moveShards(from: ClusterNode, to: ClusterNode, count: number): Promise<void> {
    const shards = await query<{ shard: string }>(
      this.url,
      `select shardid::text as shard from pg_dist_shard join pg_dist_placement using (shardid)
         join pg_dist_node using (groupid)
        where logicalrelid = 'event'::regclass and nodeport = $1 order by shardid limit $2`,
      [from.port, count],
    );
    for (const { shard } of shards) {
      await query(
        this.url,
        `select citus_move_shard_placement($1, $2, $3, $2, $4, 'force_logical')`,
        [shard, HOST, from.port, to.port],
      );
    }
  }

  private at(port: number): RunningServer {
    const running = this.workers.get(port);
    if (running === undefined) throw new Error(`No worker is at port ${port}.`);
    return running;
  }

  private async withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      await client.query(`set citus.multi_shard_modify_mode = 'sequential'`);
      return await work(client);
    } finally {
      await client.end();
    }
  }
}

async function allowDecoding(url: string): Promise<void> {
  const name = 'output_plugin_libraries';
  const known = await query(url, 'select from pg_settings where name = $1', [name]);
  if (known.length === 0) return;
  await query(url, `alter system set ${name} = ${PLUGINS}`);
  await query(url, 'select pg_reload_conf()');
}
