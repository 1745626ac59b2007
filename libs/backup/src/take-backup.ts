import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { ProgressCounter, type OnProgress } from './backup-progress.js';
import { copyLane } from './lane-lines.js';
import {
  FORMAT,
  MANIFEST_FILE,
  manifestSum,
  manifestText,
  type LaneFile,
  type Manifest,
  type TableFile,
} from './manifest.js';
import { readState, type DatabaseState, type LaneState, type TableState } from './read-state.js';
import { withSnapshot } from './snapshot.js';
import { syncFolder, writeDurably } from './written-file.js';

export interface BackupOptions {
  /** Connections that read at once, 2 by default. */
  readonly connections?: number;
  readonly onProgress?: OnProgress;
}

interface RefusedBackup {
  readonly outcome: 'refused';
  readonly reason: string;
}

export type BackupOutcome =
  | {
      readonly outcome: 'written';
      readonly manifest: Manifest;
      /** Names this state; `manifest.json` ends with it. */
      readonly sha256: string;
      readonly bytes: number;
      readonly seconds: number;
    }
  | RefusedBackup;

/** Writes one file of the backup through a connection, or answers why it cannot be right. */
type Task = (client: pg.Client) => Promise<string | undefined>;

/**
 * Writes the state of the whole service at one moment into a folder, while the service goes on:
 * the log lane by lane, the tables that no log can give back, and last the manifest, without which
 * the folder is no backup. Of a cluster each lane is of one moment; lane 0, to which the others
 * refer, is of a later one, and the tables, whose rows are written before events name them, of a
 * later one still. Memory does not grow with the log. Throws when the database or the disk
 * fails; the folder is empty then.
 */
export async function takeBackup(
  databaseUrl: string,
  folder: string,
  { connections = 2, onProgress = () => undefined }: BackupOptions = {},
): Promise<BackupOutcome> {
  const startedAt = performance.now();
  const refusal = await refuseFolder(folder);
  if (refusal !== undefined) return refusal;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    return await writeBackup(databaseUrl, folder, connections, onProgress, startedAt);
  } catch (error) {
    // Half a backup would only keep a disk full, and the folder from being used again.
    const names = await readdir(folder);
    await Promise.all(names.map((name) => rm(path.join(folder, name), { recursive: true })));
    throw error;
  }
}

/** Undefined for a folder that is empty or not there yet. */
export async function refuseFolder(folder: string): Promise<RefusedBackup | undefined> {
  try {
    if ((await readdir(folder)).length === 0) return undefined;
    return { outcome: 'refused', reason: `The folder ${folder} is not empty.` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code !== 'ENOTDIR') throw error;
    return { outcome: 'refused', reason: `${folder} is not a folder.` };
  }
}

async function writeBackup(
  databaseUrl: string,
  folder: string,
  connections: number,
  onProgress: OnProgress,
  startedAt: number,
): Promise<BackupOutcome> {
  const manifest = await withSnapshot(databaseUrl, connections, (clients) =>
    writeFiles(clients, folder, onProgress),
  );
  if (typeof manifest === 'string') return { outcome: 'refused', reason: manifest };
  const text = Buffer.from(manifestText(manifest));
  const { bytes } = await writeDurably(folder, MANIFEST_FILE, () => Readable.from([text]));
  await syncFolder(folder);
  return {
    outcome: 'written',
    manifest,
    sha256: manifestSum(manifest),
    bytes: [...manifest.lanes, ...manifest.tables].reduce((sum, each) => sum + each.bytes, bytes),
    seconds: (performance.now() - startedAt) / 1000,
  };
}

async function writeFiles(
  clients: readonly pg.Client[],
  folder: string,
  onProgress: OnProgress,
): Promise<Manifest | string> {
  const [lead] = clients;
  const state = lead === undefined ? 'There is no connection.' : await readState(lead);
  if (typeof state === 'string') return state;
  const total = [...state.lanes.map(({ position }) => position), ...state.tables.map(rowsOf)];
  const rows = total.reduce((sum, count) => sum + count, 0);
  const counter = new ProgressCounter('writing files', 'rows', rows, onProgress);
  const [lanes, tables]: [LaneFile[], TableFile[]] = [[], []];
  // The longest first, so that no connection is left with much to do when the others are done.
  const queue = [
    ...state.tables.map((table) => ({
      rows: table.rows,
      run: async (client: pg.Client) => writeTable(client, folder, table, tables, counter),
    })),
    ...state.lanes.map((lane) => ({
      rows: lane.position,
      run: async (client: pg.Client) => writeLane(client, folder, lane, lanes, counter),
    })),
  ].toSorted((a, b) => a.rows - b.rows);
  const fault = await runAll(
    clients,
    queue.map(({ run }) => run),
  );
  if (fault !== undefined) return fault;
  const folders = new Set([...lanes, ...tables].map(({ file }) => path.dirname(file)));
  for (const name of folders) await syncFolder(path.join(folder, name));
  return manifestOf(state, lanes, tables);
}

function rowsOf({ rows }: TableState): number {
  return rows;
}

/** Each connection takes the last task that is left until one fails; then all are cut off. */
async function runAll(clients: readonly pg.Client[], tasks: Task[]): Promise<string | undefined> {
  let fault: string | undefined;
  const work = async (client: pg.Client): Promise<void> => {
    for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
      const found = await task(client);
      if (found === undefined) continue;
      fault = found;
      tasks.length = 0;
    }
  };
  const failures: unknown[] = [];
  const cutAll = async (error: unknown): Promise<void> => {
    failures.push(error);
    tasks.length = 0;
    await Promise.all(clients.map((client) => client.end()));
  };
  await Promise.all(clients.map((client) => work(client).catch(cutAll)));
  // The others only report that they were cut off.
  if (failures.length > 0) throw failures[0];
  return fault;
}

async function writeLane(
  client: pg.Client,
  folder: string,
  { batched, ...state }: LaneState,
  written: LaneFile[],
  counter: ProgressCounter,
): Promise<string | undefined> {
  const { lane, position } = state;
  const name = `log/lane-${String(lane).padStart(2, '0')}.jsonl`;
  const source = () => client.query(copyTo(copyLane(lane, position)));
  const { lines, ...file } = await writeDurably(folder, name, source, (n) => counter.add(n));
  if (lines !== position || batched !== position) {
    return `Lane ${lane} is damaged: it stands at ${position}, but holds ${lines} events and batches of ${batched}.`;
  }
  written.push({ ...state, ...file });
  return undefined;
}

async function writeTable(
  client: pg.Client,
  folder: string,
  { table, columns }: TableState,
  written: TableFile[],
  counter: ProgressCounter,
): Promise<string | undefined> {
  const names = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const source = () => client.query(copyTo(`copy ${table} (${names}) to stdout`));
  const onLines = (count: number): void => counter.add(count);
  const { lines, ...file } = await writeDurably(folder, `tables/${table}.copy`, source, onLines);
  written.push({ table, columns: [...columns], rows: lines, ...file });
  return undefined;
}

function manifestOf(state: DatabaseState, lanes: LaneFile[], tables: TableFile[]): Manifest {
  return {
    format: FORMAT,
    created_at: state.createdAt,
    server_version: state.serverVersion,
    migrations: [...state.migrations],
    events: lanes.reduce((sum, { position }) => sum + position, 0),
    batches: lanes.reduce((sum, { batches }) => sum + batches, 0),
    lanes: lanes.toSorted((a, b) => a.lane - b.lane),
    tables: state.tables.flatMap(({ table }) => tables.filter((each) => each.table === table)),
  };
}
