import type { Command } from 'commander';
import { faultOf } from '#database/errors.js';
import { commandDatabase } from '#embedded-postgres/service-database.js';
import type { DatabaseUrls } from '#embedded-postgres/state-file.js';
import { openFoundations, type Foundations } from '#service/foundations.js';
import { serviceLogger } from '#service/logger.js';
import { readConfiguration } from '#web/configuration.js';
import { runCommand } from '#web/run-main.js';
import { StartupError } from '#web/startup-error.js';
import { backupCommand, restoreCommand } from './backup-commands.js';
import { clusterCommands } from './cluster-commands.js';
import { evidenceCommand } from './evidence-command.js';
import { projectionCommands, verifyCommand } from './log-commands.js';
import { releaseCommands } from './release-commands.js';

/** A database that goes away is no bug. */
async function withKnownFaults(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (faultOf(error) !== 'connection-lost') throw error;
    throw new StartupError('The database went away before the command was done.', { cause: error });
  }
}

/** Joins the database of a running service, or starts it for the command alone. */
function withFoundations(
  work: (foundations: Foundations, database: DatabaseUrls) => Promise<number>,
): Promise<void> {
  return runCommand('popindex', async (shutdown) => {
    const environment = { LOG_LEVEL: 'error', ...process.env };
    const configuration = readConfiguration('popindex', environment);
    const database = await commandDatabase(configuration, shutdown);
    const logger = serviceLogger(configuration);
    const foundations = await openFoundations(configuration, database, logger, shutdown);
    return withKnownFaults(() => work(foundations, database));
  });
}

/** The same database as it is: neither migrated nor written to before the command itself does. */
function withDatabase(work: (database: DatabaseUrls) => Promise<number>): Promise<void> {
  return runCommand('popindex', async (shutdown) => {
    const configuration = readConfiguration('popindex', process.env);
    return work(await commandDatabase(configuration, shutdown));
  });
}

/** Those that work on the database. */
export function databaseCommands(): Command[] {
  return [
    releaseCommands(withFoundations),
    projectionCommands(withFoundations),
    verifyCommand(withFoundations),
    evidenceCommand(withFoundations),
    backupCommand(withDatabase),
    restoreCommand(withDatabase),
    clusterCommands(withDatabase),
  ];
}
