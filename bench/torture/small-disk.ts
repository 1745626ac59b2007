import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PIECE = Buffer.alloc(4 * 1024 * 1024);
const FILLER = 'filler';

/** A small file system of its own, which can be filled to the last byte without harm to others. */
export class SmallDisk {
  private constructor(readonly folder: string) {}

  /** Null where this user may not make one. `megabytes`: its size; it lives in memory. */
  static make(folder: string, megabytes: number): SmallDisk | null {
    mkdirSync(folder, { recursive: true });
    const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder];
    try {
      execFileSync('mount', options, { stdio: 'ignore' });
      return new SmallDisk(folder);
    } catch {
      return null;
    }
  }

  /** Writes until nothing more fits. */
  async fill(): Promise<void> {
    const file = await open(path.join(this.folder, FILLER), 'a');
    try {
      for (let size = PIECE.length; size > 0;) {
        try {
          await file.write(PIECE, 0, size);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          size = Math.floor(size / 2);
        }
      }
    } finally {
      await file.close();
    }
  }

  /** Gives the space back. */
  empty(): Promise<void> {
    return rm(path.join(this.folder, FILLER), { force: true });
  }

  /** Removes it; a process that still runs on it keeps it until it ends. */
  async remove(): Promise<void> {
    await run('umount', ['--lazy', this.folder]);
  }
}
