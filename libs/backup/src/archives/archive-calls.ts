import type pg from 'pg';
import { requireCoordinator } from '#database/cluster/coordinator.js';
import { withClient } from '#database/database.js';
import {
  ARCHIVES,
  CALLS_ARCHIVED,
  CALLS_BROUGHT_BACK,
  OF_SYSTEM,
  type Archive,
  type ArchiveFile,
  type CallsArchived,
  type CallsBroughtBack,
} from '#event-log/archive-events.js';
import { standingArchives } from '#event-log/standing-archives.js';
import type { EventLog } from '#event-log/event-log.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { checkArchiveFile, isAtHand } from './archive-file.js';
import { bringBack, isOut, takeOut } from './replace-calls.js';
import { writeArchive, type ArchivableLane } from './write-archive.js';

export interface ArchiveParts {
  /** Connections as the owner of the log. */
  readonly pool: pg.Pool;
  readonly log: EventLog;
  readonly system: Pick<SystemStream, 'append'>;
  /** Where all archives are. */
  readonly folder: string;
  /** Ms since 1970. */
  readonly now: () => number;
}

/** Thrown where nothing can be archived or brought back, with the reason for an operator. */
export class ArchiveRefusedError extends Error {
  override readonly name = 'ArchiveRefusedError';
}

const LOCK = `hashtextextended('archive of calls', 0)`;

/**
 * Archives calls of the months before one: files first, then an event of lane 0 that names them,
 * then their data leaves the log. Whatever ends it between, nothing is lost: the next run goes on
 * with what is named and not out. Null: there is nothing to archive. Throws BrokenChain for a
 * damaged lane and ArchiveRefusedError.
 */
export async function archiveCalls(
  parts: ArchiveParts,
  before: string,
  lanes: readonly ArchivableLane[],
  onEvents?: (count: number) => void,
): Promise<Archive | null> {
  return alone(parts.pool, async () => {
    for (const unfinished of await standingArchives(parts.pool))
      await takeAllOut(parts, unfinished);
    const files = await writeArchive(parts.log, parts.folder, before, lanes, onEvents);
    if (files.length === 0) return null;
    const archive = await record(parts, before, files);
    await takeAllOut(parts, archive);
    return archive;
  });
}

/** Puts the calls of archives back into the log. Throws ArchiveRefusedError and DamageError. */
export async function bringBackCalls(
  parts: Omit<ArchiveParts, 'log'>,
  archives: readonly Archive[],
): Promise<void> {
  const { pool, folder, system, now } = parts;
  return alone(pool, async () => {
    for (const { files } of archives) await refuseMissing(folder, files);
    for (const { archive, files } of archives) {
      for (const file of files) await bringBack(pool, folder, archive, file);
      const data: CallsBroughtBack = { ...OF_SYSTEM, archive };
      await system.append(ARCHIVES, () => ({
        callId: null,
        type: CALLS_BROUGHT_BACK,
        at: now(),
        data,
      }));
    }
  });
}

async function record(
  { system, now }: ArchiveParts,
  before: string,
  files: readonly ArchiveFile[],
): Promise<Archive> {
  const calls = files.reduce((sum, file) => sum + file.calls, 0);
  let archive = 0;
  await system.append(ARCHIVES, (archives) => {
    archive = archives.length + 1;
    const data: CallsArchived = { ...OF_SYSTEM, archive, before, calls, files };
    return { callId: null, type: CALLS_ARCHIVED, at: now(), data };
  });
  return { archive, before, calls, files, isBack: false };
}

async function takeAllOut(
  { pool, folder }: ArchiveParts,
  { archive, files }: Archive,
): Promise<void> {
  for (const file of files) {
    if (await isOut(pool, file)) continue;
    await refuseMissing(folder, [file]);
    await takeOut(pool, folder, archive, file);
  }
}

async function refuseMissing(folder: string, files: readonly ArchiveFile[]): Promise<void> {
  for (const file of files) {
    if (!(await isAtHand(folder, file))) {
      throw new ArchiveRefusedError(`${file.file} is not in ${folder}, or not whole.`);
    }
    await checkArchiveFile(folder, file);
  }
}

/** Two at a time would archive the same calls twice. */
async function alone<Result>(pool: pg.Pool, work: () => Promise<Result>): Promise<Result> {
  return withClient(pool, async (holder) => {
    await requireCoordinator(holder);
    const { rows } = await holder.query<{ mine: boolean }>(
      `select pg_try_advisory_lock(${LOCK}) as mine`,
    );
    if (rows[0]?.mine !== true) throw new ArchiveRefusedError('Calls are being archived already.');
    try {
      return await work();
    } finally {
      await holder.query(`select pg_advisory_unlock(${LOCK})`);
    }
  });
}
