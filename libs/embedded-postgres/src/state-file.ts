import { readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { livingOwner } from './owner-lock.js';

/** What another process of the same machine needs to reach the running database. */
export interface EmbeddedPostgresState {
  readonly url: string;
  readonly owner_pid: number;
}

function stateFile(dataDir: string): string {
  return path.join(dataDir, 'postgres.json');
}

export function writeState(dataDir: string, state: EmbeddedPostgresState): void {
  const file = stateFile(dataDir);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

export function removeState(dataDir: string): void {
  rmSync(stateFile(dataDir), { force: true });
}

/**
 * URL of the embedded database that a living process serves from this data folder, for command
 * line tools beside it; undefined when nobody does. It may be starting again at the moment.
 */
export function runningDatabaseUrl(dataDir: string): string | undefined {
  try {
    const folder = realpathSync(dataDir);
    const state = JSON.parse(readFileSync(stateFile(folder), 'utf8')) as EmbeddedPostgresState;
    return livingOwner(folder) === state.owner_pid ? state.url : undefined;
  } catch {
    return undefined;
  }
}
