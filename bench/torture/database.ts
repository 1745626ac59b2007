import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { locateBinaries } from '#embedded-postgres/binaries.js';
import { clusterFolder } from '#embedded-postgres/cluster.js';
import { EmbeddedPostgres } from '#embedded-postgres/embedded-postgres.js';
import { freePort } from '#embedded-postgres/free-port.js';
import { chooseRunAs } from '#embedded-postgres/run-as.js';
import type { ServerPlan } from '#embedded-postgres/server-process.js';
import { FaultyProxy } from './faulty-proxy.js';
import type { ServedDatabase } from './given-database.js';
import type { SmallDisk } from './small-disk.js';
import { promote, startStandby } from './standby.js';

const run = promisify(execFile);
/** The library starts a dead database again within this. */
const RESTART_MS_MAX = 45_000;
const POLL_MS = 20;
/** How long everybody is led to a primary that is none any more. */
const STALE_MS = 1_000;
const PASSWORD = 'postgres-password';
/** The processes connect as this user. */
const SERVICE = { user: 'torture_service', password: 'torture' };

function parentOf(pid: string): number {
  try {
    // After the name, which may hold spaces and parentheses: state, parent.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

/** A process and all that it has started, as far as the system reports. */
function family(pid: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return [pid, ...all.filter((name) => parentOf(name) === pid).map(Number)];
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** The PostgreSQL of the torture, as durable as in service, and its faults. */
export class Database implements ServedDatabase {
  private paused: number[] = [];
  /** Whether a fault has it to itself. */
  private isHeld = false;

  private constructor(
    private postgres: EmbeddedPostgres,
    private dataDir: string,
    /** Where everybody finds the primary, whichever server that is. */
    private readonly front: FaultyProxy,
  ) {}

  /** In a folder that is made, on a port of its own; `port`: where it is found. */
  static async start(dataDir: string, port: number): Promise<Database> {
    const postgres = await EmbeddedPostgres.start({ dataDir });
    const front = await FaultyProxy.start(port, portOf(postgres));
    const database = new Database(postgres, dataDir, front);
    await database.query(`create role ${SERVICE.user} login password '${SERVICE.password}'`);
    await database.query(`grant pg_read_all_stats to ${SERVICE.user}`);
    return database;
  }

  /** As its owner. */
  get url(): string {
    return urlAt(this.postgres.url, this.port);
  }

  get port(): number {
    return this.front.port;
  }

  /** The URL for the service, which stays: the library's own user changes with each start. */
  get serviceUrl(): string {
    return this.urlBy(this.port);
  }

  /** The same by way of another port. */
  urlBy(port: number): string {
    const url = new URL(urlAt(this.url, port));
    url.username = SERVICE.user;
    url.password = SERVICE.password;
    return url.href;
  }

  /** `kill -9` of the postmaster; resolves when the embedded library has started another one. */
  async kill(): Promise<void> {
    if (this.isHeld) return;
    const { pid } = this.postgres;
    signal([pid], 'SIGKILL');
    const until = performance.now() + RESTART_MS_MAX;
    while (!this.isHeld && this.postgres.pid === pid) {
      if (performance.now() > until) throw new Error('The database was not started again.');
      await delay(POLL_MS);
    }
  }

  /** It keeps its connections and does nothing. */
  pause(): void {
    this.paused = family(this.postgres.pid);
    signal(this.paused, 'SIGSTOP');
  }

  resume(): void {
    signal(this.paused, 'SIGCONT');
    this.paused = [];
  }

  /** For good. */
  async end(): Promise<void> {
    await this.stop();
    await this.front.stop();
  }

  private async stop(): Promise<void> {
    this.resume();
    await this.postgres.stop();
  }

  /** An orderly stop, and a start after a while. */
  stayAway(ms: number): Promise<boolean> {
    return this.hold(async () => {
      await this.stop();
      await delay(ms);
      await this.startAgain();
    });
  }

  /**
   * An older database takes its place: it is copied (`onCopied`), serves for `ms`, and then
   * (`onEnded`) the copy is put back.
   */
  goBack(ms: number, onCopied: () => void, onEnded: () => void): Promise<boolean> {
    const folder = path.join(this.dataDir, 'postgres');
    const copy = `${folder}-older`;
    return this.hold(async () => {
      await this.stop();
      onCopied();
      await run('cp', ['-a', folder, copy]);
      await this.startAgain();
      await delay(ms);
      await this.stop();
      onEnded();
      await rm(folder, { recursive: true });
      await rename(copy, folder);
      await this.startAgain();
    });
  }

  /** Its disk has no byte left for a while. */
  fillDisk(disk: SmallDisk, ms: number): Promise<boolean> {
    return this.hold(async () => {
      await disk.fill();
      await delay(ms);
      await disk.empty();
    });
  }

  /** It reads and does not write for a while, as a server that was made a standby. */
  readOnly(ms: number): Promise<boolean> {
    return this.hold(async () => {
      await this.setReadOnly(true);
      await delay(ms);
      await this.setReadOnly(false);
    });
  }

  /**
   * A standby that has every commit takes its place: the primary is killed, and nobody reaches it
   * any more. `isStale`: it comes back by itself where it was, and for a moment everybody is led to
   * it.
   */
  promote(isStale: boolean): Promise<boolean> {
    return this.hold(async () => {
      const { dataDir, front, postgres: old } = this;
      const next = `${dataDir}-next`;
      const plan = await this.planStandby(next);
      const standby = await startStandby({ url: old.url, dataDir }, plan);
      front.refuse();
      signal(family(old.pid), 'SIGKILL');
      const url = urlAt(old.url, plan.port);
      await promote(url);
      front.retarget(plan.port);
      front.heal();
      if (isStale) await this.leadAstray(portOf(old), plan.port);
      front.refuse();
      await standby.stop(RESTART_MS_MAX);
      await old.stop();
      await rm(dataDir, { recursive: true });
      this.dataDir = next;
      await this.startAgain();
      front.heal();
    });
  }

  private async leadAstray(oldPort: number, port: number): Promise<void> {
    await delay(STALE_MS);
    this.front.retarget(oldPort);
    await delay(STALE_MS);
    this.front.retarget(port);
    await delay(STALE_MS);
  }

  private async planStandby(dataDir: string): Promise<ServerPlan> {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await copyFile(path.join(this.dataDir, PASSWORD), path.join(dataDir, PASSWORD));
    const runAs = chooseRunAs(dataDir, clusterFolder(dataDir));
    return { dataDir, binaries: locateBinaries(), runAs, port: await freePort() };
  }

  /** One fault at a time: false where another one holds the database. */
  private async hold(act: () => Promise<void>): Promise<boolean> {
    if (this.isHeld) return false;
    this.isHeld = true;
    await act();
    this.isHeld = false;
    return true;
  }

  /** Again and again, because a fault of the process may lie beside. */
  private async setReadOnly(isReadOnly: boolean): Promise<void> {
    const setting = `default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`;
    const until = performance.now() + RESTART_MS_MAX;
    for (;;) {
      try {
        await this.query(`alter system set ${setting}`);
        return await this.query('select pg_reload_conf()');
      } catch (error) {
        if (performance.now() > until) throw error;
        await delay(POLL_MS * 10);
      }
    }
  }

  /** As the owner, also while the database is read-only. */
  private async query(sql: string): Promise<void> {
    const client = new pg.Client({
      connectionString: this.url,
      options: '-c default_transaction_read_only=off',
      connectionTimeoutMillis: 2_000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(sql);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private async startAgain(): Promise<void> {
    this.postgres = await EmbeddedPostgres.start({ dataDir: this.dataDir });
    this.front.retarget(portOf(this.postgres));
  }
}

function portOf({ url }: EmbeddedPostgres): number {
  return Number(new URL(url).port);
}

function urlAt(text: string, port: number): string {
  const url = new URL(text);
  url.port = String(port);
  return url.href;
}
