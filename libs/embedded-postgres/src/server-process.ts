import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Binaries } from './binaries.js';
import { clusterFolder } from './cluster.js';
import { disownStalePid, readPostmasterFile, stopPostmaster } from './postmaster.js';
import type { RunAs } from './run-as.js';
import type { WatchedServer } from './server-watch.js';
import { serverArguments, serverEnvironment } from './settings.js';
import { waitUntil } from './wait-until.js';

export interface ServerPlan {
  readonly dataDir: string;
  readonly binaries: Binaries;
  readonly runAs: RunAs;
  readonly port: number;
}

/** Recovery after a crash replays at most `max_wal_size` and takes seconds; this is a limit. */
const READY_MS_MAX = 300_000;
/** Of its transactions none can be worth more than that others are served again. */
const USELESS_MS = 2_000;
const LOG_BYTES_MAX = 10_000_000;
const TRANSIENT =
  /lock file "[^"]*postmaster\.pid" already exists|pre-existing shared memory block|could not bind|could not create any TCP\/IP sockets|database system is starting up/;

function logFile(dataDir: string): string {
  return path.join(dataDir, 'postgres.log');
}

function logSize(dataDir: string): number {
  return statSync(logFile(dataDir), { throwIfNoEntry: false })?.size ?? 0;
}

function openLog(dataDir: string): number {
  const file = logFile(dataDir);
  if (logSize(dataDir) > LOG_BYTES_MAX) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

/** The last complaint in a server's log since `start`, as one line. */
function complaint(dataDir: string, start: number): string {
  const lines = readFileSync(logFile(dataDir)).subarray(start).toString('utf8').trim().split('\n');
  const fatal = lines.find((line) => /FATAL|PANIC|error/i.test(line));
  return (fatal ?? lines.at(-1) ?? '').replace(/^.*?(FATAL|PANIC): +/, '');
}

/** The server ended before it could serve. Transient: trying again in a moment may help. */
export class ServerFailedError extends Error {
  override readonly name = 'ServerFailedError';
  readonly transient: boolean;
  readonly portTaken: boolean;

  constructor(reason: string) {
    super(reason);
    this.transient = TRANSIENT.test(reason);
    this.portTaken = /could not (bind|create any TCP\/IP sockets)/.test(reason);
  }
}

/** One running postmaster, a child of this process in a session of its own. */
export class ServerProcess implements WatchedServer {
  private ended = false;
  private stopping = false;

  private constructor(
    private readonly child: ChildProcess,
    private readonly plan: ServerPlan,
  ) {
    const killAtExit = () => this.kill();
    process.once('exit', killAtExit);
    const onEnd = () => {
      this.ended = true;
      process.removeListener('exit', killAtExit);
    };
    child.once('exit', onEnd);
    child.once('error', onEnd);
  }

  /** Resolves when it accepts connections. Throws ServerFailedError. */
  static async launch(plan: ServerPlan): Promise<ServerProcess> {
    const cluster = clusterFolder(plan.dataDir);
    disownStalePid(cluster);
    const log = openLog(plan.dataDir);
    const logStart = logSize(plan.dataDir);
    const args = serverArguments(cluster, plan.port);
    const [program, programArgs] = plan.runAs.command(plan.binaries.postgres, args);
    // Detached: Ctrl-C in a terminal reaches the whole group, and the database must end last.
    const child = spawn(program, programArgs, {
      ...plan.runAs.ids,
      detached: true,
      windowsHide: true,
      cwd: cluster,
      env: serverEnvironment(),
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    const server = new ServerProcess(child, plan);
    const isReady = () => readPostmasterFile(cluster)?.status === 'ready' && server.isOwnFile();
    await waitUntil(() => server.ended || isReady(), READY_MS_MAX);
    if (!server.ended && isReady()) return server;
    server.kill();
    throw new ServerFailedError(complaint(plan.dataDir, logStart));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get port(): number {
    return this.plan.port;
  }

  get hasEnded(): boolean {
    return this.ended;
  }

  get isStopping(): boolean {
    const file = readPostmasterFile(clusterFolder(this.plan.dataDir));
    return file?.status === 'stopping' && file.pid === this.pid;
  }

  private isOwnFile(): boolean {
    return readPostmasterFile(clusterFolder(this.plan.dataDir))?.pid === this.pid;
  }

  /** Calls `listener` once when the server ends unexpectedly. */
  onUnexpectedEnd(listener: (how: string) => void): void {
    const report = (code: number | null, signal: string | null) => {
      if (!this.stopping) listener(signal ?? `exit code ${code}`);
    };
    if (this.ended) report(this.child.exitCode, this.child.signalCode);
    else this.child.once('exit', report);
  }

  /** Fast shutdown, after `fastMs` a harder one. Resolves when the process has ended. */
  async stop(fastMs: number): Promise<void> {
    this.stopping = true;
    if (this.ended) return;
    if (process.platform === 'win32') this.stopOnWindows();
    await stopPostmaster(this.pid, fastMs, () => this.ended);
  }

  /** Ends one that serves nobody any more. Its end is an unexpected one, as nobody stops it. */
  async end(): Promise<void> {
    if (process.platform === 'win32') this.stopOnWindows();
    await stopPostmaster(this.pid, USELESS_MS, () => this.ended, USELESS_MS);
  }

  /** Windows has no signals: pg_ctl reaches the server through its named pipe. */
  private stopOnWindows(): void {
    const args = ['stop', '-D', clusterFolder(this.plan.dataDir), '-m', 'fast', '-W'];
    spawn(this.plan.binaries.pgCtl, args, { stdio: 'ignore', windowsHide: true });
  }

  /** For the last moment of this process, which cannot wait any more. */
  kill(): void {
    this.stopping = true;
    if (!this.ended) this.child.kill('SIGINT');
  }
}
