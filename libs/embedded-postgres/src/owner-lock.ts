import { readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { isAlive, startOf } from './process-facts.js';
import { writeWhole } from './write-whole.js';

/** Between making the file and filling it a killed process may have left it empty. */
const UNREADABLE_IS_STALE_MS = 5_000;

interface Owner {
  readonly pid: number;
  /** The moment its process started, so that a reused id is not taken for it. */
  readonly started: string | null;
}

function lockFile(dataDir: string): string {
  return path.join(dataDir, 'owner.lock');
}

function parseOwner(text: string): Owner | undefined {
  try {
    return JSON.parse(text) as Owner;
  } catch {
    return undefined;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function lives(owner: Owner): boolean {
  if (!isAlive(owner.pid)) return false;
  const started = startOf(owner.pid);
  return owner.started === null || started === undefined || started === owner.started;
}

function isFresh(file: string): boolean {
  const made = statSync(file, { throwIfNoEntry: false });
  return made !== undefined && Date.now() - made.mtimeMs < UNREADABLE_IS_STALE_MS;
}

function create(file: string, content: string): boolean {
  try {
    writeWhole(file, content);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Two processes may find the same stale lock. Moving it aside is what only one of them can do;
 * whoever moved a newer lock by that puts it back.
 */
function removeStale(file: string, seen: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const moved = textOf(aside);
  if (moved !== undefined && moved !== seen) create(file, moved);
  rmSync(aside, { force: true });
}

/** The process id of the living owner of a data folder, or undefined. */
export function livingOwner(dataDir: string): number | undefined {
  const text = textOf(lockFile(dataDir));
  const owner = text === undefined ? undefined : parseOwner(text);
  return owner !== undefined && lives(owner) ? owner.pid : undefined;
}

/** One process at a time owns a data folder; the lock of a killed process is taken over. */
export class OwnerLock {
  private constructor(
    private readonly file: string,
    private readonly content: string,
  ) {}

  /** Throws EmbeddedPostgresError, which names the folder and the owner's process id. */
  static take(dataDir: string): OwnerLock {
    const file = lockFile(dataDir);
    const owner: Owner = { pid: process.pid, started: startOf(process.pid) ?? null };
    const content = JSON.stringify(owner);
    while (!create(file, content)) {
      const text = textOf(file);
      if (text === undefined) continue;
      const other = parseOwner(text);
      if (other === undefined ? isFresh(file) : lives(other)) {
        throw new EmbeddedPostgresError(
          `DATA_DIR: ${dataDir} is in use by process ${other?.pid ?? '(starting)'}; ` +
            'stop that one or choose another folder',
        );
      }
      removeStale(file, text);
    }
    return new OwnerLock(file, content);
  }

  release(): void {
    if (textOf(this.file) === this.content) rmSync(this.file, { force: true });
  }
}
