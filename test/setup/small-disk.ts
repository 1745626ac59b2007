import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const BLOCK = Buffer.alloc(65_536, 1);

/** A file system of its own with little room, in memory. */
export class SmallDisk {
  private constructor(readonly folder: string) {}

  /** Undefined where this user cannot mount one: the test is to be skipped with a message. */
  static make(megabytes: number): SmallDisk | undefined {
    const folder = mkdtempSync(path.join(tmpdir(), 'popindex-disk-'));
    try {
      const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder];
      execFileSync('mount', options, { stdio: 'ignore' });
      return new SmallDisk(folder);
    } catch {
      rmSync(folder, { recursive: true });
      return undefined;
    }
  }

  private get filler(): string {
    return path.join(this.folder, 'filler');
  }

  /** Takes all the room that is left, to the last byte. */
  fill(): void {
    const file = openSync(this.filler, 'a');
    try {
      for (let size = BLOCK.length; size >= 1;) {
        try {
          if (writeSync(file, BLOCK, 0, size) < size) size = Math.floor(size / 2);
        } catch {
          size = Math.floor(size / 2);
        }
      }
    } finally {
      closeSync(file);
    }
  }

  /** Gives the room back. */
  empty(): void {
    rmSync(this.filler, { force: true });
  }

  remove(): void {
    // What still runs on it keeps it until it ends.
    execFileSync('umount', ['--lazy', this.folder], { stdio: 'ignore' });
    rmSync(this.folder, { recursive: true, force: true });
  }
}
