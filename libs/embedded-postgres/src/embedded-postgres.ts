import { realpathSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { locateBinaries } from './binaries.js';
import { DATABASE_USER, clusterFolder, ensureCluster } from './cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { freePort } from './free-port.js';
import { makeFolder } from './make-folder.js';
import { FolderInUseError, OwnerLock } from './owner-lock.js';
import { stopOrphan } from './postmaster.js';
import { chooseRunAs } from './run-as.js';
import { ServerFailedError, type ServerPlan, ServerProcess } from './server-process.js';
import { watchServer } from './server-watch.js';
import { ensureServiceUser, SERVICE_USER } from './service-user.js';
import { removeState, writeState } from './state-file.js';

export type EmbeddedPostgresEvent =
  | { readonly event: 'waits'; readonly pid: number | undefined }
  | { readonly event: 'orphan-stopped'; readonly pid: number }
  | { readonly event: 'started'; readonly pid: number; readonly port: number }
  | { readonly event: 'refuses'; readonly pid: number; readonly why: string }
  | { readonly event: 'ended'; readonly pid: number; readonly how: string }
  | { readonly event: 'restart-failed'; readonly reason: string };

export interface EmbeddedPostgresOptions {
  /** Made when missing. One process at a time owns it. */
  readonly dataDir: string;
  /** Default: a free one, the same for as long as this process lives. */
  readonly port?: number;
  /** Whether this process ends by itself: a service waits for it, another command does not. */
  readonly isCommand?: boolean;
  /** For the log of the service. */
  readonly onEvent?: (event: EmbeddedPostgresEvent) => void;
}

const FOLDER_FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'may not be written by this user; choose another folder, or change its owner',
  EPERM: 'may not be written by this user; choose another folder, or change its owner',
  ENOTDIR: 'is a file; it takes a folder',
  EROFS: 'is on a disk that is read-only; choose another folder',
  ENOSPC: 'is on a disk that is full',
};

/** The remains of a killed server (shared memory, its children) go within seconds. */
const START_MS_MAX = 30_000;
const RETRY_MS = 250;
/** A command that uses the folder is waited for so long. */
const COMMAND_MS_MAX = 120_000;
const FAST_STOP_MS = 8_000;

/**
 * A PostgreSQL server as a child of this process: it is started, kept alive and stopped with it.
 * One that takes no connections any more is replaced, whoever made it stop.
 * Durable (fsync and synchronous_commit are on), reachable on 127.0.0.1 only, with a generated
 * password. Whatever a killed process left in the data folder is cleared by the next start.
 */
export class EmbeddedPostgres {
  /** Of the database `postgres`, as the owner of everything, with password. A restart keeps it. */
  readonly url: string;
  /** The same database as the service may use it. */
  readonly serviceUrl: string;
  private stopped: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private restarting: Promise<void> = Promise.resolve();
  private readonly atExit = () => this.release();

  private constructor(
    private server: ServerProcess,
    private readonly plan: ServerPlan,
    private readonly lock: OwnerLock,
    private readonly report: (event: EmbeddedPostgresEvent) => void,
    urls: { readonly url: string; readonly serviceUrl: string },
  ) {
    const { url, serviceUrl } = urls;
    this.url = url;
    this.serviceUrl = serviceUrl;
    writeState(plan.dataDir, {
      url: serviceUrl,
      migration_url: url,
      owner_pid: process.pid,
    });
    process.once('exit', this.atExit);
    this.watch();
  }

  /**
   * Resolves when the database accepts connections. Throws EmbeddedPostgresError: folder in use,
   * no binaries for this machine, data of another major version, a server that will not start.
   */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const dataDir = ownFolder(options.dataDir);
    const report = options.onEvent ?? (() => undefined);
    const lock = await takeFolder(dataDir, options.isCommand === true, report);
    try {
      const binaries = locateBinaries();
      const runAs = chooseRunAs(dataDir, clusterFolder(dataDir));
      const password = await ensureCluster(dataDir, binaries, runAs);
      const orphan = await stopOrphan(clusterFolder(dataDir));
      if (orphan !== undefined) report({ event: 'orphan-stopped', pid: orphan });
      const firstPlan = { dataDir, binaries, runAs, port: options.port ?? (await freePort()) };
      const [server, plan] = await launchPatiently(firstPlan, options.port === undefined);
      report({ event: 'started', pid: server.pid, port: plan.port });
      return new EmbeddedPostgres(
        server,
        plan,
        lock,
        report,
        await urlsOf(server, plan.port, password),
      );
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** As the system knows it, without links. */
  get dataDir(): string {
    return this.plan.dataDir;
  }

  /** Process id of the postmaster; another one after a restart. */
  get pid(): number {
    return this.server.pid;
  }

  /**
   * Fast shutdown: open transactions are rolled back. After `fastMs` the server is ended at once
   * and recovers at its next start. The folder is free afterwards.
   */
  stop(fastMs = FAST_STOP_MS): Promise<void> {
    this.stopping.abort();
    this.stopped ??= this.shutDown(fastMs);
    return this.stopped;
  }

  private async shutDown(fastMs: number): Promise<void> {
    await this.server.stop(fastMs);
    await this.restarting;
    await this.server.stop(fastMs);
    process.removeListener('exit', this.atExit);
    this.release();
  }

  private release(): void {
    removeState(this.plan.dataDir);
    this.lock.release();
  }

  private watch(): void {
    const { server } = this;
    const { pid } = server;
    server.onUnexpectedEnd((how) => {
      this.report({ event: 'ended', pid, how });
      this.restarting = this.restart();
    });
    void watchServer(server, this.stopping.signal).then((why) => {
      if (why === undefined || this.stopped !== undefined) return;
      this.report({ event: 'refuses', pid, why });
      return server.end();
    });
  }

  /** Tries for as long as this process lives: a service without its database is of no use. */
  private async restart(): Promise<void> {
    while (this.stopped === undefined) {
      try {
        // Whoever restarted it by hand has left one that nobody here would stop.
        await stopOrphan(clusterFolder(this.plan.dataDir));
        this.server = await ServerProcess.launch(this.plan);
        this.report({ event: 'started', pid: this.server.pid, port: this.plan.port });
        this.watch();
        return;
      } catch (error) {
        this.report({ event: 'restart-failed', reason: (error as Error).message });
        await delay(RETRY_MS);
      }
    }
  }
}

async function urlsOf(server: ServerProcess, port: number, password: string) {
  const urlOf = (user: string, secret: string): string =>
    `postgresql://${user}:${secret}@127.0.0.1:${port}/postgres`;
  const url = urlOf(DATABASE_USER, password);
  try {
    return { url, serviceUrl: urlOf(SERVICE_USER, await ensureServiceUser(url)) };
  } catch (error) {
    server.kill();
    throw error;
  }
}

/** A service waits for a command, which ends by itself. Throws EmbeddedPostgresError. */
async function takeFolder(
  dataDir: string,
  isCommand: boolean,
  report: (event: EmbeddedPostgresEvent) => void,
): Promise<OwnerLock> {
  const deadline = performance.now() + COMMAND_MS_MAX;
  for (let waits = false; ; waits = true) {
    try {
      return OwnerLock.take(dataDir, isCommand);
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw unusable(dataDir, error);
      const isInVain = isCommand || !error.isCommand || performance.now() >= deadline;
      if (isInVain) throw error;
      if (!waits) report({ event: 'waits', pid: error.pid });
    }
    await delay(RETRY_MS);
  }
}

function ownFolder(dataDir: string): string {
  try {
    makeFolder(dataDir);
    if (!statSync(dataDir).isDirectory()) {
      throw new EmbeddedPostgresError(`DATA_DIR: ${dataDir} is a file; it takes a folder`);
    }
    return realpathSync(dataDir);
  } catch (error) {
    throw unusable(dataDir, error);
  }
}

/** The line about a folder that the system refuses; a bug as it is. */
function unusable(dataDir: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const why = FOLDER_FAULTS[code] ?? `cannot be used: ${message}`;
  return new EmbeddedPostgresError(`DATA_DIR: ${dataDir} ${why}`);
}

/** Retries faults that time or another port heals; reports every other fault at once. */
async function launchPatiently(
  firstPlan: ServerPlan,
  anyPort: boolean,
): Promise<[ServerProcess, ServerPlan]> {
  const deadline = performance.now() + START_MS_MAX;
  for (let plan = firstPlan; ;) {
    try {
      return [await ServerProcess.launch(plan), plan];
    } catch (error) {
      if (!(error instanceof ServerFailedError)) throw error;
      if (!error.transient || performance.now() > deadline) {
        throw new EmbeddedPostgresError(
          `DATA_DIR: the database in ${plan.dataDir} does not start: ${error.message}`,
        );
      }
      if (error.portTaken && anyPort) plan = { ...plan, port: await freePort() };
      else await delay(RETRY_MS);
    }
  }
}
