import type { Command } from 'commander';
import { codeOf, faultOf, isUnreadable } from '#database/errors.js';
import { findLog } from '#database/migrate.js';
import { commandDatabase, hasCluster } from '#embedded-postgres/service-database.js';
import type { DatabaseUrls } from '#embedded-postgres/state-file.js';
import {
  openFoundations,
  openFoundationsAsTheyAre,
  type Foundations,
} from '#service/foundations.js';
import { serviceLogger } from '#service/logger.js';
import type { Configuration } from '#web/configuration.js';
import { runCommand } from '#web/run-main.js';
import type { Shutdown } from '#web/shutdown.js';
import { databaseName, StartupError, withAnsweringDatabase } from '#web/startup-error.js';
import {
  commandConfiguration,
  sayWaiting,
  settingsBesideService,
} from './settings/command-configuration.js';
import { backupCommand, restoreCommand } from './backup-commands.js';
import { clusterCommands } from './cluster-commands.js';
import { projectionCommands, verifyCommand } from './log-commands.js';
import { migrateCommand, NO_LOG } from './migrate-command.js';
import { releaseCommands } from './release-commands.js';

/** A service that starts an embedded database is waited for until that holds its tables. */
async function databaseConfiguration(): Promise<Configuration> {
  const configuration = commandConfiguration();
  if (configuration.databaseUrl !== null) return configuration;
  return (await settingsBesideService()).configuration;
}

/** A database that goes away is no bug. */
async function withKnownFaults(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (isUnreadable(error)) {
      const { message } = error as Error;
      const line = `The database cannot read what it has stored: ${message}. popindex verify names all that is damaged.`;
      throw new StartupError(line, { cause: error });
    }
    if (codeOf(error) === '42501') {
      throw new StartupError(`The database refuses: ${(error as Error).message}.`, {
        cause: error,
      });
    }
    if (faultOf(error) !== 'connection-lost') throw error;
    throw new StartupError('The database went away before the command was done.', { cause: error });
  }
}

/** Joins the database of a running service, or starts it for the command alone. */
function withFoundations(
  work: (foundations: Foundations, database: DatabaseUrls) => Promise<number>,
): Promise<void> {
  return runCommand('popindex', async (shutdown) => {
    const configuration = await databaseConfiguration();
    const database = await commandDatabase(configuration, shutdown, sayWaiting);
    const logger = serviceLogger(configuration);
    const foundations = await openFoundations(configuration, database, logger, shutdown);
    return withKnownFaults(() => work(foundations, database));
  });
}

/**
 * Reads a log that is there, and neither migrates nor appends. `whenNone`: the answer to an empty
 * database, where that is no fault.
 */
function withLog(
  work: (foundations: Foundations, database: DatabaseUrls) => Promise<number>,
  whenNone?: () => number,
): Promise<void> {
  return runCommand('popindex', async (shutdown) => {
    const configuration = await databaseConfiguration();
    const found = await findServedLog(configuration, shutdown);
    if (found === undefined) {
      if (whenNone !== undefined) return whenNone();
      throw new StartupError(`popindex: ${NO_LOG}`);
    }
    const logger = serviceLogger(configuration);
    const foundations = await openFoundationsAsTheyAre(configuration, found, logger, shutdown);
    return withKnownFaults(() => work(foundations, found));
  });
}

/** Nobody wants to make an embedded database by looking into it. */
function isNotMade({ databaseUrl, dataDir }: Configuration): boolean {
  return databaseUrl === null && !hasCluster(dataDir);
}

/** Undefined: there is none yet. Throws StartupError for a log that cannot be read as it is. */
async function findServedLog(
  configuration: Configuration,
  shutdown: Shutdown,
): Promise<DatabaseUrls | undefined> {
  if (isNotMade(configuration)) return undefined;
  const database = await commandDatabase(configuration, shutdown, sayWaiting);
  const presence = await withAnsweringDatabase(database, () => findLog(database.url));
  if (presence === 'none') return undefined;
  if (presence === 'present') return database;
  const fault =
    presence === 'older'
      ? 'was migrated by an older version: `popindex migrate`, or a start of the service, brings it up to this one'
      : 'holds tables of another program, and no log';
  throw new StartupError(`${databaseName(database)} ${fault}`);
}

/** The same database as it is: neither migrated nor written to before the command itself does. */
function withDatabase(work: (database: DatabaseUrls) => Promise<number>): Promise<void> {
  return runCommand('popindex', async (shutdown) =>
    work(await commandDatabase(await databaseConfiguration(), shutdown, sayWaiting)),
  );
}

/** The same for a command that reads: an embedded database that is not there is not made. */
function withMadeDatabase(work: (database: DatabaseUrls) => Promise<number>): Promise<void> {
  return runCommand('popindex', async (shutdown) => {
    const configuration = await databaseConfiguration();
    if (isNotMade(configuration)) throw new StartupError(`popindex: ${NO_LOG}`);
    return work(await commandDatabase(configuration, shutdown, sayWaiting));
  });
}

/** Those that work on the database. */
export function databaseCommands(): Command[] {
  return [
    migrateCommand(withDatabase),
    releaseCommands(withFoundations, withLog),
    projectionCommands(withFoundations, withLog),
    verifyCommand(withLog),
    backupCommand(withMadeDatabase),
    restoreCommand(withDatabase),
    clusterCommands(withDatabase, withMadeDatabase),
  ];
}
