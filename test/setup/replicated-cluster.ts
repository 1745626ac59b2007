import { rm } from 'node:fs/promises';
import pg from 'pg';
import { clusterStatus, type ClusterStatus } from '#database/cluster/cluster-status.js';
import type { Binaries } from '#embedded-postgres/binaries.js';
import { clusterFolder } from '#embedded-postgres/cluster.js';
import { ServerProcess, type ServerPlan } from '#embedded-postgres/server-process.js';
import {
  CITUS_SETTINGS,
  killServer,
  makeServer,
  programsIn,
  serverPlan,
  signalServer,
  urlOf,
  type RunningServer,
} from '../../bench/cluster-servers.js';
import { joinCluster, query, urlNaming } from '../../bench/join-cluster.js';
import { promote, startStandby } from '../../bench/torture/standby.js';
import { waitFor } from './wait-for.js';

const HOST = '127.0.0.1';
const FAST_STOP_MS = 5_000;

/** The coordinator or a worker. */
interface Machine {
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
  /** Servers that run although others were promoted over them. */
  private readonly stale: ServerProcess[] = [];

  private constructor(
    private readonly coordinator: Machine,
    private readonly workers: readonly Machine[],
  ) {}

  /** Makes all of them in `folder`, which is to be empty. No table is spread yet. */
  static async start(folder: string, binaries: Binaries): Promise<ReplicatedCluster> {
    const machines: Machine[] = [];
    try {
      for (const name of ['coordinator', 'one', 'two']) {
        const plan = await serverPlan(folder, name, binaries);
        const primary = await makeServer(plan, CITUS_SETTINGS);
        machines.push({ primary, standby: null, dead: null });
      }
      const [coordinator, ...workers] = machines as [Machine, ...Machine[]];
      const nodes = workers.map(({ primary }) => ({ host: HOST, port: primary.plan.port }));
      await joinCluster(urlOf(coordinator.primary.plan), nodes);
      for (const [index, machine] of machines.entries()) {
        const plan = await serverPlan(folder, `standby-${index}`, binaries);
        machine.standby = await follow(machine.primary.plan, plan);
      }
      return new ReplicatedCluster(coordinator, workers);
    } catch (error) {
      await stopAll(machines);
      throw error;
    }
  }

  /** Of the coordinator. */
  get url(): string {
    return urlOf(this.coordinator.primary.plan);
  }

  /** Names all servers. */
  get urlOfAll(): string {
    const plans = this.machines.flatMap(({ primary, standby, dead }) =>
      [primary.plan, standby?.plan, dead].filter((plan) => plan != null),
    );
    const ports = new Set(plans.map(({ port }) => port));
    const servers = [...ports].map((port) => `${HOST}:${port}`);
    return urlNaming(this.url, servers);
  }

  /** Where the coordinator is. */
  get coordinatorPort(): number {
    return this.coordinator.primary.plan.port;
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

  /** `kill -9` of the server at this port, and of all that it has started. */
  kill(port: number): void {
    const machine = this.machineAt(port);
    killServer(machine.primary.server.pid);
    machine.dead = machine.primary.plan;
  }

  /** Lets the server at this port keep its connections, accept more, and say nothing. */
  silence(port: number): void {
    signalServer(this.machineAt(port).primary.server.pid, 'SIGSTOP');
  }

  /** Lets it go on where it was. */
  wake(port: number): void {
    signalServer(this.machineAt(port).primary.server.pid, 'SIGCONT');
  }

  /**
   * Puts the standby of a killed server in its place, as the documentation says. Answers when it
   * was promoted; the cluster learned of it after that.
   */
  async promote(port: number): Promise<number> {
    const machine = this.machineAt(port);
    if (machine.standby === null) throw new Error('The server has no standby.');
    await promote(urlOf(machine.standby.plan));
    const promotedAt = performance.now();
    machine.primary = machine.standby;
    machine.standby = null;
    const { port: promoted } = machine.primary.plan;
    await (machine === this.coordinator
      ? query(this.url, `select citus_set_coordinator_host('${HOST}', $1)`, [promoted])
      : query(
          this.url,
          `select citus_update_node(nodeid, '${HOST}', $2, force => true)
             from pg_dist_node where nodeport = $1`,
          [port, promoted],
        ));
    return promotedAt;
  }

  /** Starts a server that was killed: in its place, or beside the one that has it by now. */
  async startAgain(port: number): Promise<void> {
    const machine = this.machines.find(({ dead }) => dead?.port === port);
    const plan = machine?.dead;
    if (machine === undefined || plan == null) throw new Error(`None was killed at port ${port}.`);
    let server: ServerProcess | undefined;
    await waitFor('the server starts', async () => {
      server = await ServerProcess.launch(plan).catch(() => undefined);
      return server !== undefined;
    });
    if (server === undefined) return;
    if (machine.primary.plan === plan) machine.primary = { plan, server };
    else this.stale.push(server);
    machine.dead = null;
  }

  /** Makes the killed server of a worker a standby of the promoted one. */
  async rejoin(port: number): Promise<void> {
    const machine = this.machineAt(port);
    if (machine.dead === null) throw new Error('None of its servers was killed.');
    await rm(clusterFolder(machine.dead.dataDir), { recursive: true });
    machine.standby = await follow(machine.primary.plan, machine.dead);
    machine.dead = null;
  }

  async stop(): Promise<void> {
    for (const server of this.stale) await server.stop(FAST_STOP_MS);
    await stopAll(this.machines);
  }

  private get machines(): readonly Machine[] {
    return [this.coordinator, ...this.workers];
  }

  private machineAt(port: number): Machine {
    const machine = this.machines.find(({ primary }) => primary.plan.port === port);
    if (machine === undefined) throw new Error(`No server is at port ${port}.`);
    return machine;
  }
}

async function stopAll(machines: readonly Machine[]): Promise<void> {
  for (const { primary, standby } of machines) {
    // The primary first: it waits for what its standby has not received.
    await primary.server.stop(FAST_STOP_MS);
    await standby?.server.stop(FAST_STOP_MS);
  }
}

async function follow(primary: ServerPlan, plan: ServerPlan): Promise<RunningServer> {
  const { dataDir } = primary;
  return { plan, server: await startStandby({ url: urlOf(primary), dataDir }, plan) };
}
