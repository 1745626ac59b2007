import { rmSync, writeFileSync } from 'node:fs';

/**
 * Makes a file that only its owner can read, whole or not at all: a full disk takes the name of a
 * file but not its content. Throws what the system says, `EEXIST` where the file is there already.
 */
export function writeWhole(file: string, content: string): void {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(file, { force: true });
    throw error;
  }
}
