import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { faultIn, type BackupFault } from './backup-fault.js';
import { ProgressCounter, type OnProgress } from './backup-progress.js';
import { LaneCheck } from './lane-check.js';
import {
  MANIFEST_FILE,
  filesOf,
  parseManifest,
  type BackupFile,
  type LaneFile,
  type Manifest,
} from './manifest.js';
import { readLines } from './read-lines.js';

interface FaultyBackup {
  readonly outcome: 'faulty';
  readonly faults: readonly BackupFault[];
}

export type CheckOutcome =
  { readonly outcome: 'sound'; readonly manifest: Manifest } | FaultyBackup;

/**
 * Checks that a folder holds a backup that this version can restore: the manifest, that every file
 * is there and no other, and the bytes of each. Finds all faulty files; in the log it names the
 * first line that does not fit. Throws when the folder cannot be read.
 */
export async function checkFiles(
  folder: string,
  onProgress: OnProgress = () => undefined,
): Promise<CheckOutcome> {
  const manifest = await readManifest(folder);
  if (typeof manifest === 'string') return faultyManifest(manifest);
  const names = await listFiles(folder);
  const expected = new Set([MANIFEST_FILE, ...filesOf(manifest).map(({ file }) => file)]);
  const faults = names
    .filter((file) => !expected.has(file))
    .map((file) => ({ file, line: null, reason: 'is no part of this backup' }));
  const found = new Set(names);
  const total = filesOf(manifest).reduce((sum, { bytes }) => sum + bytes, 0);
  const counter = new ProgressCounter('checking files', 'bytes', total, onProgress);
  for (const file of filesOf(manifest)) {
    const fault = found.has(file.file)
      ? await fileFault(folder, file, manifest, counter)
      : { file: file.file, line: null, reason: 'is missing' };
    if (fault !== undefined) faults.push(fault as (typeof faults)[number]);
  }
  return faults.length > 0 ? { outcome: 'faulty', faults } : { outcome: 'sound', manifest };
}

/** The same, and both chains of hashes of every lane: all that a restore checks as it loads. */
export async function checkBackup(
  folder: string,
  onProgress: OnProgress = () => undefined,
): Promise<CheckOutcome> {
  const checked = await checkFiles(folder, onProgress);
  if (checked.outcome === 'faulty') return checked;
  const { lanes, events } = checked.manifest;
  const counter = new ProgressCounter('checking events', 'events', events, onProgress);
  const faults: BackupFault[] = [];
  for (const lane of lanes) {
    const fault = await laneFault(folder, lane, counter);
    if (fault !== undefined) faults.push(fault);
  }
  return faults.length > 0 ? { outcome: 'faulty', faults } : checked;
}

/** The fault of a folder that holds no backup for this version, found without reading its files. */
export async function findNoBackup(folder: string): Promise<FaultyBackup | undefined> {
  const manifest = await readManifest(folder);
  return typeof manifest === 'string' ? faultyManifest(manifest) : undefined;
}

function faultyManifest(reason: string): FaultyBackup {
  return { outcome: 'faulty', faults: [{ file: MANIFEST_FILE, line: null, reason }] };
}

async function readManifest(folder: string): Promise<Manifest | string> {
  // A missing folder is reported by the system's own error.
  await readdir(folder);
  try {
    return parseManifest(await readFile(path.join(folder, MANIFEST_FILE), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return 'is missing: this folder holds no backup, or one that was never finished';
  }
}

/** All files below a folder, relative to it, with slashes. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((name) => name.split(path.sep).join('/'))
    .toSorted();
}

async function fileFault(
  folder: string,
  { file, bytes, sha256 }: BackupFile,
  { lanes }: Manifest,
  counter: ProgressCounter,
): Promise<BackupFault | undefined> {
  const target = path.join(folder, ...file.split('/'));
  const { size } = await stat(target);
  const isSame = size === bytes && (await hashOf(target, counter)) === sha256;
  if (isSame) return undefined;
  const lane = lanes.find((each) => each.file === file);
  const inLine = lane === undefined ? undefined : await laneFault(folder, lane);
  if (inLine !== undefined) return inLine;
  const reason =
    size === bytes
      ? 'was changed: its SHA-256 is not that of the manifest'
      : `has ${size} bytes instead of ${bytes}`;
  return { file, line: null, reason };
}

async function hashOf(target: string, counter: ProgressCounter): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(target, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk as Buffer);
    counter.add((chunk as Buffer).length);
  }
  return hash.digest('hex');
}

/** The first line of a lane that does not fit. */
async function laneFault(
  folder: string,
  lane: LaneFile,
  counter?: ProgressCounter,
): Promise<BackupFault | undefined> {
  return faultIn(async () => {
    const check = new LaneCheck(lane);
    for await (const lines of readLines(path.join(folder, lane.file), lane.file)) {
      for (const line of lines) check.line(line);
      counter?.add(lines.length);
    }
    check.end();
  });
}
