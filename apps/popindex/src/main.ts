import { Command } from 'commander';
import { faultOf } from '#database/errors.js';
import { commandDatabase } from '#embedded-postgres/service-database.js';
import type { DatabaseUrls } from '#embedded-postgres/state-file.js';
import { openFoundations, type Foundations } from '#service/foundations.js';
import { serviceLogger } from '#service/logger.js';
import { readConfiguration } from '#web/configuration.js';
import { runCommand } from '#web/run-main.js';
import { StartupError } from '#web/startup-error.js';
import { endWithUsageCode } from '#web/usage-code.js';
import { ADMIN_COMMANDS, ADMIN_NOUNS } from './admin/all-commands.js';
import { exportCommands } from './admin/export-commands.js';
import { adminCommand, nounCommand } from './admin/run-admin-command.js';
import { backupCommand, restoreCommand } from './backup-commands.js';
import { projectionCommands, verifyCommand } from './log-commands.js';
import { releaseCommands } from './release-commands.js';

const EXIT_CODES = `
Commands about accounts, prices and webhooks ask the admin REST at ADMIN_URL, or at HOST and
ACCOUNTING_PORT, with ADMIN_TOKEN or the token in DATA_DIR; the others work on the database.

Exit codes: 0 done, 1 refused or not possible, 2 wrong usage.`;

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
    const database = await commandDatabase(configuration, shutdown);
    const logger = serviceLogger(configuration);
    const foundations = await openFoundations(configuration, database, logger, shutdown);
    return withLastingDatabase(() => work(foundations));
  });
}

/** The same database as it is: neither migrated nor written to before the command itself does. */
function withDatabase(work: (database: DatabaseUrls) => Promise<number>): Promise<void> {
  return runCommand('popindex', async (shutdown) => {
    const configuration = readConfiguration('popindex', process.env);
    return work(await commandDatabase(configuration, shutdown));
  });
}

const program = new Command('popindex')
  .description('The popularity-index data service, from the command line.')
  .addCommand(releaseCommands(withFoundations))
  .addCommand(projectionCommands(withFoundations))
  .addCommand(verifyCommand(withFoundations))
  .addCommand(backupCommand(withDatabase))
  .addCommand(restoreCommand(withDatabase))
  .addCommand(exportCommands())
  .addHelpText('after', EXIT_CODES);
for (const noun of ADMIN_NOUNS) program.addCommand(nounCommand(noun));
for (const command of ADMIN_COMMANDS) program.addCommand(adminCommand(command));
await endWithUsageCode(program).parseAsync();
