import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { clusterFolder } from './cluster.js';
import { EmbeddedPostgres, type EmbeddedPostgresEvent } from './embedded-postgres.js';
import { FolderInUseError } from './owner-lock.js';
import { runningDatabase, type DatabaseUrls } from './state-file.js';

export interface DatabaseSettings {
  /** DATABASE_URL; null for the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  /** MIGRATION_DATABASE_URL; null: migrations connect as the service does. */
  readonly migrationDatabaseUrl: string | null;
  readonly dataDir: string;
}

/** Where the stop of the database is registered: it is to be the last of all. */
interface LastStep {
  last(name: string, run: (msLeft: number) => Promise<void>): void;
}

/** Of the time that is left, what a server needs that has to be ended the hard way. */
const HARD_STOP_MS = 1_000;
/** Another process needs at most so long for its database. */
const START_MS_MAX = 60_000;
const RETRY_MS = 100;
const ignore = (): void => undefined;

/**
 * The database to serve from: the given one, or an embedded PostgreSQL that is started
 * here and stopped at the very end of the shutdown. Throws EmbeddedPostgresError.
 */
export async function serviceDatabase(
  { databaseUrl, migrationDatabaseUrl, dataDir }: DatabaseSettings,
  shutdown: LastStep,
  onEvent: (event: EmbeddedPostgresEvent) => void,
  isCommand = false,
): Promise<DatabaseUrls> {
  if (databaseUrl !== null) return { url: databaseUrl, migrationUrl: migrationDatabaseUrl };
  const postgres = await EmbeddedPostgres.start({ dataDir, onEvent, isCommand });
  shutdown.last('the embedded database', (msLeft) =>
    postgres.stop(Math.max(0, msLeft - HARD_STOP_MS)),
  );
  return { url: postgres.serviceUrl, migrationUrl: postgres.url, folder: postgres.dataDir };
}

/** Whether an embedded database was ever made in a folder. */
export function hasCluster(dataDir: string): boolean {
  return existsSync(clusterFolder(dataDir));
}

/**
 * For a command: joins the database that another process serves from the folder, or starts it for
 * the command. Waits for a process that starts its database. Throws EmbeddedPostgresError.
 */
export async function commandDatabase(
  settings: DatabaseSettings,
  shutdown: LastStep,
  onWait: (pid: number | undefined) => void,
): Promise<DatabaseUrls> {
  if (settings.databaseUrl !== null) return serviceDatabase(settings, shutdown, ignore);
  const deadline = performance.now() + START_MS_MAX;
  for (let waits = false; ; waits = true) {
    const running = runningDatabase(settings.dataDir);
    if (running !== undefined) return running;
    try {
      return await serviceDatabase(settings, shutdown, ignore, true);
    } catch (error) {
      if (!(error instanceof FolderInUseError) || performance.now() >= deadline) throw error;
      if (!waits) onWait(error.pid);
    }
    await delay(RETRY_MS);
  }
}
