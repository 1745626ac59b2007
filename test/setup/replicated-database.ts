import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { locateBinaries } from '#embedded-postgres/binaries.js';
import { DATABASE_USER, clusterFolder, ensureCluster } from '#embedded-postgres/cluster.js';
import { chooseRunAs } from '#embedded-postgres/run-as.js';
import { ServerProcess, type ServerPlan } from '#embedded-postgres/server-process.js';
import { promote, startStandby } from '../../bench/torture/standby.js';

const FAST_STOP_MS = 5_000;
const TRIES_MAX = 100;
const POLL_MS = 100;

/** A primary and a standby that has every commit before it is answered, and their faults. */
export class ReplicatedDatabase {
  private constructor(
    private readonly plans: readonly [old: ServerPlan, next: ServerPlan],
    private readonly password: string,
    private readonly servers: (ServerProcess | undefined)[],
  ) {}

  /** Makes both in `folder`, which is to be empty, and waits until the standby follows. */
  static async start(
    folder: string,
    ports: readonly [number, number],
  ): Promise<ReplicatedDatabase> {
    const [first, second] = [planOf(folder, 'first', ports[0]), planOf(folder, 'second', ports[1])];
    const password = await ensureCluster(first.dataDir, first.binaries, first.runAs);
    const primary = await ServerProcess.launch(first);
    const { dataDir } = first;
    const standby = await startStandby({ url: urlTo(first, password), dataDir }, second);
    return new ReplicatedDatabase([first, second], password, [primary, standby]);
  }

  /** Names both servers, and asks for the one that takes writes. */
  get url(): string {
    const [first, second] = this.plans;
    const servers = `127.0.0.1:${first.port},127.0.0.1:${second.port}`;
    const user = `${DATABASE_USER}:${this.password}`;
    return `postgresql://${user}@${servers}/postgres?target_session_attrs=read-write`;
  }

  /** One of them alone: 0 for the primary that was first, 1 for the standby that was. */
  urlOf(server: 0 | 1): string {
    return urlTo(this.plans[server], this.password);
  }

  /** `kill -9` of the first primary and of all that it has started. */
  async killPrimary(): Promise<void> {
    const { pid } = this.servers[0] ?? {};
    if (pid === undefined) return;
    for (const each of [pid, ...childrenOf(pid)]) kill(each);
    this.servers[0] = undefined;
  }

  /** Makes the standby a primary; resolves when it takes writes. */
  async promote(): Promise<void> {
    await promote(this.urlOf(1));
  }

  /** Starts the first primary again, without waiting for a standby: a stale primary. */
  async restartOldPrimary(): Promise<void> {
    const [plan] = this.plans;
    setting(plan, `synchronous_standby_names = ''\n`);
    await until('the old primary starts', async () => {
      this.servers[0] = await ServerProcess.launch(plan).catch(() => undefined);
      return this.servers[0] !== undefined;
    });
  }

  /** An orderly stop of one of them. */
  async stopServer(server: 0 | 1): Promise<void> {
    await this.servers[server]?.stop(FAST_STOP_MS);
    this.servers[server] = undefined;
  }

  async startServer(server: 0 | 1): Promise<void> {
    this.servers[server] = await ServerProcess.launch(this.plans[server]);
  }

  async stop(): Promise<void> {
    await Promise.all([this.stopServer(0), this.stopServer(1)]);
  }
}

function planOf(folder: string, name: string, port: number): ServerPlan {
  const dataDir = path.join(folder, name);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return {
    dataDir,
    binaries: locateBinaries(),
    runAs: chooseRunAs(dataDir, clusterFolder(dataDir)),
    port,
  };
}

function urlTo({ port }: ServerPlan, password: string): string {
  return `postgresql://${DATABASE_USER}:${password}@127.0.0.1:${port}/postgres`;
}

function setting({ dataDir }: ServerPlan, text: string): void {
  appendFileSync(path.join(clusterFolder(dataDir), 'postgresql.auto.conf'), text);
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries === TRIES_MAX) throw new Error(`Waited in vain: ${what}.`);
    await delay(POLL_MS);
  }
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
