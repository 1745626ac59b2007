import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { ArchiveFile } from '#event-log/archive-events.js';
import { archivedCall } from '#event-log/archived-call.js';
import type { EventLog } from '#event-log/event-log.js';
import { walkLane, type ChainedEvent } from '#event-log/verify-lane.js';
import { syncFolder, writeDurably } from '../written-file.js';
import { checkArchiveFile, readArchiveFile } from './archive-file.js';
import { archiveLine } from './archive-line.js';

/** Calls of a lane that may be archived: of each account those before a version. */
export interface ArchivableLane {
  readonly lane: number;
  readonly versions: ReadonlyMap<string, number>;
}

/**
 * Writes the calls of lanes into files of a new folder and reads them back. Both chains of each
 * lane are recomputed on the way. Lanes without calls get no file. Throws BrokenChain for a lane
 * that is damaged; nothing is left on the disk then.
 */
export async function writeArchive(
  log: EventLog,
  folder: string,
  before: string,
  lanes: readonly ArchivableLane[],
  onEvents: (count: number) => void = () => undefined,
): Promise<readonly ArchiveFile[]> {
  const name = `${before}-${randomUUID().slice(0, 8)}`;
  try {
    const files: ArchiveFile[] = [];
    for (const lane of lanes) {
      const file = await writeLane(log, folder, name, lane, onEvents);
      if (file !== undefined) files.push(file);
    }
    if (files.length === 0) await rm(path.join(folder, name), { recursive: true, force: true });
    else {
      await syncFolder(path.join(folder, name));
      await syncFolder(folder);
    }
    return files;
  } catch (error) {
    await rm(path.join(folder, name), { recursive: true, force: true });
    throw error;
  }
}

async function writeLane(
  log: EventLog,
  folder: string,
  name: string,
  { lane, versions }: ArchivableLane,
  onEvents: (count: number) => void,
): Promise<ArchiveFile | undefined> {
  const positions: number[] = [];
  const lines = async function* (): AsyncGenerator<Buffer> {
    for await (const page of walkLane(log, lane)) {
      onEvents(page.length);
      const calls = page.filter((one) => isArchivable(one, versions));
      if (calls.length === 0) continue;
      positions[0] ??= calls[0]?.event.position ?? 0;
      positions[1] = calls.at(-1)?.event.position ?? 0;
      yield Buffer.from(calls.map((one) => `${archiveLine(one)}\n`).join(''));
    }
  };
  const file = `${name}/lane-${String(lane).padStart(2, '0')}.jsonl`;
  const { lines: calls, ...written } = await writeDurably(folder, file, () =>
    Readable.from(lines()),
  );
  const [first, last] = positions;
  if (first === undefined || last === undefined) {
    await rm(path.join(folder, ...file.split('/')));
    return undefined;
  }
  const archived: ArchiveFile = { lane, ...written, calls, positions: [first, last] };
  await checkArchiveFile(folder, archived);
  let read = 0;
  for await (const page of readArchiveFile(folder, archived)) read += page.length;
  if (read !== calls) throw new Error(`${file} holds ${read} of ${calls} calls.`);
  return archived;
}

function isArchivable({ event }: ChainedEvent, versions: ArchivableLane['versions']): boolean {
  const { type, accountId, accountVersion, data } = event;
  if (type !== 'CallMade' || accountVersion >= (versions.get(accountId) ?? 0)) return false;
  return archivedCall(data) === undefined;
}
