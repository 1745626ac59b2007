import { Command } from 'commander';
import { faultOf } from '#database/errors.js';
import { commandDatabase } from '#embedded-postgres/service-database.js';
import { openFoundations, type Foundations } from '#service/foundations.js';
import { serviceLogger } from '#service/logger.js';
import { readConfiguration } from '#web/configuration.js';
import { runCommand } from '#web/run-main.js';
import { StartupError } from '#web/startup-error.js';
import { backupCommand, restoreCommand } from './backup-commands.js';
import { projectionCommands, verifyCommand } from './log-commands.js';
import { releaseCommands } from './release-commands.js';

/** A database that goes away meanwhile is no bug: what was not finished was not done. */
async function withLastingDatabase(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (faultOf(error) !== 'connection-lost') throw error;
    throw new StartupError('The database went away before the command was done.', { cause: error });
  }
}

/** Joins the database of a running service, or starts it for the command alone. */
function withFoundations(work: (foundations: Foundations) => Promise<number>): Promise<void> {
  return runCommand('popindex', async (shutdown) => {
    const environment = { LOG_LEVEL: 'error', ...process.env };
    const configuration = readConfiguration('popindex', environment);
    const databaseUrl = await commandDatabase(configuration, shutdown);
    const logger = serviceLogger(configuration);
    const foundations = await openFoundations(configuration, databaseUrl, logger, shutdown);
    return withLastingDatabase(() => work(foundations));
  });
}

/** The same database as it is: neither migrated nor written to before the command itself does. */
function withDatabase(work: (databaseUrl: string) => Promise<number>): Promise<void> {
  return runCommand('popindex', async (shutdown) => {
    const configuration = readConfiguration('popindex', process.env);
    return work(await commandDatabase(configuration, shutdown));
  });
}

await new Command('popindex')
  .description('The popularity-index data service, from the command line.')
  .addCommand(releaseCommands(withFoundations))
  .addCommand(projectionCommands(withFoundations))
  .addCommand(verifyCommand(withFoundations))
  .addCommand(backupCommand(withDatabase))
  .addCommand(restoreCommand(withDatabase))
  .parseAsync();
