import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgres } from '#embedded-postgres/embedded-postgres.js';

/** The library starts a dead database again within this. */
const RESTART_MS_MAX = 45_000;
const POLL_MS = 20;

function parentOf(pid: string): number {
  try {
    // After the name, which may hold spaces and parentheses: state, parent.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

/** A process and all that it has started, as far as the system tells. */
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

/** The PostgreSQL of the torture, as durable as in service, and what befalls it. */
export class Database {
  private paused: number[] = [];
  private isAway = false;

  private constructor(
    private postgres: EmbeddedPostgres,
    private readonly dataDir: string,
    readonly port: number,
  ) {}

  static async start(dataDir: string, port: number): Promise<Database> {
    return new Database(await EmbeddedPostgres.start({ dataDir, port }), dataDir, port);
  }

  get url(): string {
    return this.postgres.url;
  }

  /** The same database by way of another port. */
  urlBy(port: number): string {
    const url = new URL(this.url);
    url.port = String(port);
    return url.href;
  }

  /** `kill -9` of the postmaster; resolves when the embedded library has started another one. */
  async kill(): Promise<void> {
    if (this.isAway) return;
    const { pid } = this.postgres;
    signal([pid], 'SIGKILL');
    const until = performance.now() + RESTART_MS_MAX;
    while (!this.isAway && this.postgres.pid === pid) {
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

  async stop(): Promise<void> {
    this.resume();
    await this.postgres.stop();
  }

  /** An orderly stop, and a start after a while. Two at once are one. */
  async stayAway(ms: number): Promise<void> {
    if (this.isAway) return;
    this.isAway = true;
    await this.stop();
    await delay(ms);
    this.postgres = await EmbeddedPostgres.start({ dataDir: this.dataDir, port: this.port });
    this.isAway = false;
  }
}
