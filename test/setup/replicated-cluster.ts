import { rm } from 'node:fs/promises';
import pg from 'pg';
import { clusterStatus, type ClusterStatus } from '#database/cluster/cluster-status.js';
import type { Binaries } from '#embedded-postgres/binaries.js';
import { clusterFolder } from '#embedded-postgres/cluster.js';
import type { ServerPlan } from '#embedded-postgres/server-process.js';
import {
  CITUS_SETTINGS,
  killServer,
  makeServer,
  programsIn,
  serverPlan,
  urlOf,
  type RunningServer,
} from '../../bench/cluster-servers.js';
import { joinCluster, query } from '../../bench/join-cluster.js';
import { promote, startStandby } from '../../bench/torture/standby.js';

const HOST = '127.0.0.1';
const FAST_STOP_MS = 5_000;

interface Worker {
  primary: RunningServer;
  /** Has every commit before it is answered; null: it was promoted. */
  standby: RunningServer | null;
  /** The folder of a server that was killed. */
  dead: ServerPlan | null;
}

/**
 * Finds the programs of the cluster that the tests were given; null: TEST_DATABASE_URL names none,
 * or one of another machine.
 */
export async function clusterBinaries(): Promise<Binaries | null> {
  const [known] = await query<{ folder: string }>(
    process.env.TEST_DATABASE_URL ?? '',
    `select setting as folder from pg_config
      where name = 'BINDIR' and to_regclass('pg_dist_node') is not null`,
  );
  return known === undefined ? null : programsIn(known.folder);
}

/** A coordinator and two workers, each of which has a standby that is never behind. */
export class ReplicatedCluster {
  private constructor(
    private readonly coordinator: RunningServer,
    private readonly workers: readonly Worker[],
  ) {}

  /** Makes all of them in `folder`, which is to be empty. No table is spread yet. */
  static async start(folder: string, binaries: Binaries): Promise<ReplicatedCluster> {
    const make = async (name: string): Promise<RunningServer> =>
      makeServer(await serverPlan(folder, name, binaries), CITUS_SETTINGS);
    const coordinator = await make('coordinator');
    const workers: Worker[] = [];
    for (const name of ['one', 'two']) {
      workers.push({ primary: await make(name), standby: null, dead: null });
    }
    const nodes = workers.map(({ primary }) => ({ host: HOST, port: primary.plan.port }));
    await joinCluster(urlOf(coordinator.plan), nodes);
    for (const [index, worker] of workers.entries()) {
      const plan = await serverPlan(folder, `standby-${index}`, binaries);
      worker.standby = await follow(worker.primary.plan, plan);
    }
    return new ReplicatedCluster(coordinator, workers);
  }

  /** Of the coordinator. */
  get url(): string {
    return urlOf(this.coordinator.plan);
  }

  async status(): Promise<ClusterStatus> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      return await clusterStatus(client);
    } finally {
      await client.end();
    }
  }

  /** `kill -9` of the worker at this port, and of all that it has started. */
  kill(port: number): void {
    const worker = this.workerAt(port);
    killServer(worker.primary.server.pid);
    worker.dead = worker.primary.plan;
  }

  /**
   * Puts the standby of a killed worker in its place, as the documentation says. Answers when it
   * was promoted; the coordinator learned of it after that.
   */
  async promote(port: number): Promise<number> {
    const worker = this.workerAt(port);
    if (worker.standby === null) throw new Error('The worker has no standby.');
    await promote(urlOf(worker.standby.plan));
    const promotedAt = performance.now();
    worker.primary = worker.standby;
    worker.standby = null;
    await query(
      this.url,
      `select citus_update_node(nodeid, '${HOST}', $2, force => true)
         from pg_dist_node where nodeport = $1`,
      [port, worker.primary.plan.port],
    );
    return promotedAt;
  }

  /** Makes the killed server of a worker a standby of the promoted one. */
  async rejoin(port: number): Promise<void> {
    const worker = this.workerAt(port);
    if (worker.dead === null) throw new Error('None of its servers was killed.');
    await rm(clusterFolder(worker.dead.dataDir), { recursive: true });
    worker.standby = await follow(worker.primary.plan, worker.dead);
    worker.dead = null;
  }

  async stop(): Promise<void> {
    await this.coordinator.server.stop(FAST_STOP_MS);
    for (const { primary, standby } of this.workers) {
      // The primary first: it waits for what its standby has not received.
      await primary.server.stop(FAST_STOP_MS);
      await standby?.server.stop(FAST_STOP_MS);
    }
  }

  private workerAt(port: number): Worker {
    const worker = this.workers.find(({ primary }) => primary.plan.port === port);
    if (worker === undefined) throw new Error(`No worker is at port ${port}.`);
    return worker;
  }
}

async function follow(primary: ServerPlan, plan: ServerPlan): Promise<RunningServer> {
  const { dataDir } = primary;
  return { plan, server: await startStandby({ url: urlOf(primary), dataDir }, plan) };
}
