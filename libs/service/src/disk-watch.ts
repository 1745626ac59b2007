import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { withTransaction } from '#database/database.js';
import { isDiskFull } from '#database/errors.js';
import type { PartState } from '#web/readiness.js';

/** With less than this left a journal, a log or a generated secret does not fit any more. */
const BYTES_MIN = 1_048_576;
const READY: PartState = { ready: true };
const FULL: PartState = { ready: false, detail: 'the disk of the database is full' };

/**
 * Remembers that the database had no room left on its disk, until it has room again. A full disk
 * lets reads pass: only a write shows it, and only another write shows that it is over.
 */
export class DiskWatch {
  private isFull = false;

  constructor(private readonly pool: pg.Pool) {}

  /** Takes in a fault of any work with the database; those of another kind are passed over. */
  note(error: unknown): void {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      if (isDiskFull(cause)) this.isFull = true;
    }
  }

  /** Whether the database has room; tries to take some where it had none. */
  async state(): Promise<PartState> {
    if (!this.isFull) return READY;
    try {
      await takeRoom(this.pool);
      this.isFull = false;
    } catch (error) {
      // A user who may not make temporary tables learns nothing here; the next write will fail.
      this.isFull = isDiskFull(error);
    }
    return this.isFull ? FULL : READY;
  }
}

/** A megabyte in a table that goes away with its transaction. */
async function takeRoom(pool: pg.Pool): Promise<void> {
  await withTransaction(pool, (client) =>
    client.query(`create temporary table disk_probe on commit drop as
      select repeat(md5(n::text), 60) as filling from generate_series(1, 500) as n`),
  );
}

/** Whether the disk of DATA_DIR takes files; the folder may be missing as yet. */
export async function dataDirState(dataDir: string): Promise<PartState> {
  const { bavail, bsize, blocks, ffree, files } = await statfs(nearestFolder(dataDir));
  const bytesLeft = bavail * bsize;
  // A file system without a fixed size says 0 of all.
  const isFull = (blocks > 0 && bytesLeft < BYTES_MIN) || (files > 0 && ffree === 0);
  if (!isFull) return READY;
  return { ready: false, detail: `the disk of DATA_DIR is full: ${bytesLeft} bytes are left` };
}

function nearestFolder(folder: string): string {
  const absolute = path.resolve(folder);
  const parent = path.dirname(absolute);
  return existsSync(absolute) || parent === absolute ? absolute : nearestFolder(parent);
}
