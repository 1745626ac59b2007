import { EmbeddedPostgres, type EmbeddedPostgresEvent } from './embedded-postgres.js';
import { runningDatabaseUrl } from './state-file.js';

export interface DatabaseSettings {
  /** DATABASE_URL; null for the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}

/** Where the stop of the database is registered: it is to be the last of all. */
interface LastStep {
  last(name: string, run: (msLeft: number) => Promise<void>): void;
}

/** Of the time that is left, what a server needs that has to be ended the hard way. */
const HARD_STOP_MS = 1_000;

/**
 * URL of the database to serve from: the given one, or an embedded PostgreSQL that is started
 * here and stopped at the very end of the shutdown. Throws EmbeddedPostgresError.
 */
export async function serviceDatabase(
  { databaseUrl, dataDir }: DatabaseSettings,
  shutdown: LastStep,
  onEvent: (event: EmbeddedPostgresEvent) => void,
): Promise<string> {
  if (databaseUrl !== null) return databaseUrl;
  const postgres = await EmbeddedPostgres.start({ dataDir, onEvent });
  shutdown.last('the embedded database', (msLeft) =>
    postgres.stop(Math.max(0, msLeft - HARD_STOP_MS)),
  );
  return postgres.url;
}

/** For a command: joins the database of the service that runs, or starts it for the command. */
export async function commandDatabase(
  settings: DatabaseSettings,
  shutdown: LastStep,
): Promise<string> {
  if (settings.databaseUrl !== null) return settings.databaseUrl;
  const running = runningDatabaseUrl(settings.dataDir);
  return running ?? (await serviceDatabase(settings, shutdown, () => undefined));
}
