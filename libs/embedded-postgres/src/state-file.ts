import { readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { livingOwner } from './owner-lock.js';
import { writeWhole } from './write-whole.js';

/** A database, and who migrates it. */
export interface DatabaseUrls {
  /** As the service connects. */
  readonly url: string;
  /** As the owner of its tables connects; null: the service owns them. */
  readonly migrationUrl: string | null;
  /** The data folder of an embedded one. */
  readonly folder?: string;
}

/** URLs with which another process of the same machine reaches the running database. */
export interface EmbeddedPostgresState {
  /** As the user of the service. */
  readonly url: string;
  /** As the owner: absent where a version before this one serves. */
  readonly migration_url?: string;
  readonly owner_pid: number;
}

function stateFile(dataDir: string): string {
  return path.join(dataDir, 'postgres.json');
}

export function writeState(dataDir: string, state: EmbeddedPostgresState): void {
  const file = stateFile(dataDir);
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  writeWhole(draft, `${JSON.stringify(state, null, 2)}\n`);
  renameSync(draft, file);
}

export function removeState(dataDir: string): void {
  rmSync(stateFile(dataDir), { force: true });
}

/**
 * URLs of the embedded database that a living process serves from this data folder, for command
 * line tools beside it; undefined when nobody does. It may be starting again at the moment.
 */
export function runningDatabase(dataDir: string): DatabaseUrls | undefined {
  try {
    const folder = realpathSync(dataDir);
    const state = JSON.parse(readFileSync(stateFile(folder), 'utf8')) as EmbeddedPostgresState;
    if (livingOwner(folder) !== state.owner_pid) return undefined;
    return { url: state.url, migrationUrl: state.migration_url ?? null, folder };
  } catch {
    return undefined;
  }
}
