import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { locateBinaries, type Binaries } from '#embedded-postgres/binaries.js';
import { DATABASE_USER, clusterFolder } from '#embedded-postgres/cluster.js';
import { freePort } from '#embedded-postgres/free-port.js';
import { chooseRunAs } from '#embedded-postgres/run-as.js';
import { ServerProcess, type ServerPlan } from '#embedded-postgres/server-process.js';

const run = promisify(execFile);

export interface RunningServer {
  readonly plan: ServerPlan;
  readonly server: ServerProcess;
}

/** Of a server in a cluster of Citus, beside those of every server. */
export const CITUS_SETTINGS = `
shared_preload_libraries = 'citus'
wal_level = logical
max_prepared_transactions = 200
max_worker_processes = 64
max_replication_slots = 32
max_wal_senders = 32
wal_retrieve_retry_interval = '200ms'
citus.node_conninfo = 'sslmode=disable'
`;

/** Programs of a PostgreSQL, in what `pg_config --bindir` names; null: they are not there. */
export async function programsIn(folder: string): Promise<Binaries | null> {
  const program = (name: string): string => path.join(folder, name);
  if (!existsSync(program('initdb'))) return null;
  const { stdout } = await run(program('postgres'), ['--version']);
  return {
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
    major: /\d+/.exec(stdout)?.[0] ?? '',
  };
}

/** Makes an empty folder of this name for a server with a port of its own. */
export async function serverPlan(
  folder: string,
  name: string,
  binaries = locateBinaries(),
): Promise<ServerPlan> {
  const dataDir = path.join(folder, name);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return {
    dataDir,
    binaries,
    runAs: chooseRunAs(dataDir, clusterFolder(dataDir)),
    port: await freePort(),
  };
}

/** Makes a server with these settings and starts it. On this machine it asks for no password. */
export async function makeServer(plan: ServerPlan, settings = ''): Promise<RunningServer> {
  const { dataDir, binaries, runAs } = plan;
  const folder = clusterFolder(dataDir);
  const [program, args] = runAs.command(binaries.initdb, [
    `--pgdata=${folder}`,
    `--username=${DATABASE_USER}`,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ]);
  await run(program, args, { ...runAs.ids, cwd: dataDir });
  appendFileSync(path.join(folder, 'postgresql.auto.conf'), settings);
  return { plan, server: await ServerProcess.launch(plan) };
}

/** Of a server that was made so. */
export function urlOf({ port }: ServerPlan): string {
  return `postgresql://${DATABASE_USER}:not-asked-for@127.0.0.1:${port}/postgres`;
}

/** `kill -9` of a postmaster and of all that it has started. */
export function killServer(pid: number): void {
  signalServer(pid, 'SIGKILL');
}

/** Signals a postmaster and all that it has started: with SIGSTOP they say nothing any more. */
export function signalServer(pid: number, signal: NodeJS.Signals): void {
  for (const each of [pid, ...childrenOf(pid)]) {
    try {
      process.kill(each, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}
