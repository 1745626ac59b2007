import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commandOf, folderOf, isAlive } from './process-facts.js';
import { waitUntil } from './wait-until.js';

/** PostgreSQL's own lock file: process id in line 1, state in line 8. */
export interface PostmasterFile {
  readonly pid: number;
  readonly status: string;
}

function postmasterFile(cluster: string): string {
  return path.join(cluster, 'postmaster.pid');
}

export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  let lines: string[];
  try {
    lines = readFileSync(postmasterFile(cluster), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  return Number.isSafeInteger(pid) && pid > 0
    ? { pid, status: (lines[7] ?? '').trim() }
    : undefined;
}

/** True when this living process is a postgres of this very folder, and safe to signal. */
export function isPostmasterOf(pid: number, cluster: string): boolean {
  if (!isAlive(pid)) return false;
  const command = commandOf(pid);
  if (command === undefined || !/(^|[\\/])postgres(\.exe)?["']?\s/.test(command)) return false;
  // A postmaster works in its data folder, whatever the folder was called when it started.
  const folder = folderOf(pid);
  return folder === undefined ? command.includes(cluster) : folder === cluster;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const IMMEDIATE_MS = 6_000;

/**
 * Fast shutdown (transactions are rolled back, a checkpoint is written), after `fastMs` an
 * immediate one (the next start recovers), at last a kill. Returns when `isGone`.
 */
export async function stopPostmaster(
  pid: number,
  fastMs: number,
  isGone: () => boolean,
  immediateMs = IMMEDIATE_MS,
): Promise<void> {
  signal(pid, 'SIGINT');
  if (await waitUntil(isGone, fastMs)) return;
  signal(pid, 'SIGQUIT');
  if (await waitUntil(isGone, immediateMs)) return;
  signal(pid, 'SIGKILL');
  await waitUntil(isGone, IMMEDIATE_MS);
}

const ORPHAN_FAST_MS = 10_000;

/**
 * Stops the postgres that a killed parent left in this folder; returns its process id, or
 * undefined when there is none. Only for the owner of the data folder.
 */
export async function stopOrphan(cluster: string): Promise<number | undefined> {
  const pid = readPostmasterFile(cluster)?.pid;
  if (pid === undefined || !isPostmasterOf(pid, cluster)) return undefined;
  await stopPostmaster(pid, ORPHAN_FAST_MS, () => !isPostmasterOf(pid, cluster));
  return pid;
}

/**
 * After a crash the file may name a process that has ended but was not collected by its parent,
 * or some other program that has the id now, and PostgreSQL would wait for either. It takes its
 * own parent's id for stale and then still checks the old server's shared memory, which deleting
 * the file would prevent.
 */
export function disownStalePid(cluster: string): void {
  const pid = readPostmasterFile(cluster)?.pid;
  if (pid === undefined || isPostmasterOf(pid, cluster)) return;
  const [, ...rest] = readFileSync(postmasterFile(cluster), 'utf8').split('\n');
  writeFileSync(postmasterFile(cluster), [String(process.pid), ...rest].join('\n'));
}
