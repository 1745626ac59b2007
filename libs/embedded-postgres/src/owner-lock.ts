import { readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { isMarkAlive, markOfThisProcess, type ProcessMark } from './process-facts.js';
import { writeWhole } from './write-whole.js';

/** Between making the file and filling it a killed process may have left it empty. */
const UNREADABLE_IS_STALE_MS = 5_000;

interface Owner extends ProcessMark {
  /** Whether it is a command, which ends by itself. */
  readonly is_command?: true;
}

/** A data folder is in use by another process. */
export class FolderInUseError extends EmbeddedPostgresError {
  constructor(
    dataDir: string,
    readonly pid: number | undefined,
    /** Whether waiting helps. */
    readonly isCommand: boolean,
  ) {
    super(
      `DATA_DIR: ${dataDir} is in use by process ${pid ?? '(starting)'}; ` +
        'stop that one or choose another folder',
    );
  }
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
  return owner !== undefined && isMarkAlive(owner) ? owner.pid : undefined;
}

/** One process at a time owns a data folder; the lock of a killed process is taken over. */
export class OwnerLock {
  private constructor(
    private readonly file: string,
    private readonly content: string,
  ) {}

  /** Throws FolderInUseError. */
  static take(dataDir: string, isCommand = false): OwnerLock {
    const file = lockFile(dataDir);
    const owner: Owner = { ...markOfThisProcess(), ...(isCommand && { is_command: true }) };
    const content = JSON.stringify(owner);
    while (!create(file, content)) {
      const text = textOf(file);
      if (text === undefined) continue;
      const other = parseOwner(text);
      if (other === undefined ? isFresh(file) : isMarkAlive(other)) {
        throw new FolderInUseError(dataDir, other?.pid, other?.is_command === true);
      }
      removeStale(file, text);
    }
    return new OwnerLock(file, content);
  }

  release(): void {
    if (textOf(this.file) === this.content) rmSync(this.file, { force: true });
  }
}
