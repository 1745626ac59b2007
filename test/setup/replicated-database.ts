import { appendFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { DATABASE_USER, clusterFolder, ensureCluster } from '#embedded-postgres/cluster.js';
import { ServerProcess, type ServerPlan } from '#embedded-postgres/server-process.js';
import { killServer, serverPlan } from '../../bench/cluster-servers.js';
import { copyCluster, promote } from '../../bench/torture/standby.js';
import { waitFor } from './wait-for.js';

const SERVERS = ['one', 'two', 'three'];
const FAST_STOP_MS = 5_000;
const FOLLOWS_MS = 30_000;
/** Whichever is the primary, each commit waits until one of the two others has it. */
const SYNCHRONOUS = `synchronous_standby_names = 'ANY 1 (${SERVERS.join(', ')})'\n`;

/** A primary and two standbys, one of which has every commit before it is answered. */
export class ReplicatedDatabase {
  private readonly servers: (ServerProcess | undefined)[] = [];
  private primary = 0;

  private constructor(
    private readonly plans: readonly ServerPlan[],
    private readonly password: string,
  ) {}

  /** Makes all of them in `folder`, which is to be empty, and waits until the standbys follow. */
  static async start(folder: string): Promise<ReplicatedDatabase> {
    const plans: ServerPlan[] = [];
    for (const name of SERVERS) plans.push(await serverPlan(folder, name));
    const [first] = plans as [ServerPlan];
    const password = await ensureCluster(first.dataDir, first.binaries, first.runAs);
    const database = new ReplicatedDatabase(plans, password);
    setting(first, `wal_keep_size = '256MB'\nwal_retrieve_retry_interval = '200ms'\n`);
    setting(first, SYNCHRONOUS);
    await database.startServer(0);
    await Promise.all([database.copyTo(1), database.copyTo(2)]);
    await database.follows(2);
    return database;
  }

  /** Names all servers, and asks for the one that takes writes. */
  get url(): string {
    const servers = this.plans.map(({ port }) => `127.0.0.1:${port}`).join(',');
    const user = `${DATABASE_USER}:${this.password}`;
    return `postgresql://${user}@${servers}/postgres?target_session_attrs=read-write`;
  }

  /** The number of the server that takes writes. */
  get primaryServer(): number {
    return this.primary;
  }

  /** The number of a standby that runs. */
  get standbyServer(): number {
    return this.servers.findIndex((each, server) => each !== undefined && server !== this.primary);
  }

  /** Connection string of one of them alone. */
  urlOf(server: number): string {
    const port = this.plans[server]?.port;
    return `postgresql://${DATABASE_USER}:${this.password}@127.0.0.1:${port}/postgres`;
  }

  /** `kill -9` of the primary and of all that it has started. */
  async killPrimary(): Promise<void> {
    const { pid } = this.servers[this.primary] ?? {};
    if (pid === undefined) return;
    killServer(pid);
    this.servers[this.primary] = undefined;
  }

  /**
   * Makes the standby that has received most a primary: only one of them is sure to have all that
   * was answered. Resolves when it takes writes. Answers the number of the primary before.
   */
  async promote(): Promise<number> {
    const before = this.primary;
    const standbys = [0, 1, 2].filter((server) => this.servers[server] !== undefined);
    const received = await Promise.all(standbys.map((server) => this.received(server)));
    this.primary = standbys[received.indexOf(Math.max(...received))] ?? 0;
    await promote(this.urlOf(this.primary));
    return before;
  }

  /** Makes a server that is down a standby again, as a new copy of the primary. */
  async rejoin(server: number): Promise<void> {
    await rm(clusterFolder(this.planOf(server).dataDir), { recursive: true });
    await this.copyTo(server);
    await this.follows(2);
  }

  /** Starts a killed primary again, without waiting for a standby: a stale primary. */
  async restartStale(server: number): Promise<void> {
    setting(this.planOf(server), `synchronous_standby_names = ''\n`);
    await waitFor('the old primary starts', async () => {
      await this.startServer(server).catch(() => undefined);
      return this.servers[server] !== undefined;
    });
  }

  /** Changes a setting of the primary. */
  async setOnPrimary(text: string): Promise<void> {
    await this.withClient(this.primary, async (client) => {
      await client.query(`alter system set ${text}`);
      await client.query('select pg_reload_conf()');
    });
  }

  /** An orderly stop of one of them. */
  async stopServer(server: number): Promise<void> {
    await this.servers[server]?.stop(FAST_STOP_MS);
    this.servers[server] = undefined;
  }

  async startServer(server: number): Promise<void> {
    this.servers[server] = await ServerProcess.launch(this.planOf(server));
  }

  async stop(): Promise<void> {
    // The primary first: it waits for what its standbys have not received.
    await this.stopServer(this.primary);
    await Promise.all(SERVERS.map((_, server) => this.stopServer(server)));
  }

  private planOf(server: number): ServerPlan {
    const plan = this.plans[server];
    if (plan === undefined) throw new Error(`There is no server ${server}.`);
    return plan;
  }

  /** Its standbys find a new primary by themselves: they know the addresses of all servers. */
  private async copyTo(server: number): Promise<void> {
    const ports = this.plans.map(({ port }) => port).join(',');
    const target = [
      `host=127.0.0.1,127.0.0.1,127.0.0.1 port=${ports} target_session_attrs=read-write`,
      `user=${DATABASE_USER} password=${this.password} application_name=${SERVERS[server]}`,
    ];
    const settings = [`primary_conninfo = '${target.join(' ')}'`, SYNCHRONOUS];
    const { dataDir } = this.planOf(this.primary);
    await this.withClient(this.primary, (client) =>
      copyCluster(client, dataDir, this.planOf(server), settings),
    );
    await this.startServer(server);
  }

  private async follows(standbys: number): Promise<void> {
    const text = `select from pg_stat_replication where sync_state = 'quorum'`;
    const isSo = (client: pg.Client) => async () =>
      (await client.query(text)).rowCount === standbys;
    await this.withClient(this.primary, (client) =>
      waitFor(`${standbys} standbys follow`, isSo(client), FOLLOWS_MS),
    );
  }

  private async received(server: number): Promise<number> {
    const text = `select (greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0')::bigint as bytes`;
    const { rows } = await this.withClient(server, (client) =>
      client.query<{ bytes: string }>(text),
    );
    return Number(rows[0]?.bytes);
  }

  private async withClient<Result>(
    server: number,
    use: (client: pg.Client) => Promise<Result>,
  ): Promise<Result> {
    const client = new pg.Client({ connectionString: this.urlOf(server) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await use(client);
    } finally {
      await client.end();
    }
  }
}

function setting({ dataDir }: ServerPlan, text: string): void {
  appendFileSync(path.join(clusterFolder(dataDir), 'postgresql.auto.conf'), text);
}
