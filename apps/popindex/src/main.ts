import { Command } from 'commander';
import { endWithUsageCode } from '#web/usage-code.js';
import { VERSION } from '#web/version.js';
import { inGroups } from './command-groups.js';

const EXIT_CODES = `
Commands about accounts, prices and webhooks ask the admin REST of the service that runs with
DATA_DIR, or the one at ADMIN_URL, or at HOST and ACCOUNTING_PORT, with ADMIN_TOKEN or the token in
DATA_DIR; the others work on the database.
An account is named by its id, its external id or its name, an invoice by its number or its id.

Exit codes: 0 done, 1 refused or not possible, 2 wrong usage.`;

const OF_DATABASE = new Set(['migrate', 'release', 'projections', 'verify', 'backup', 'restore']);

/** Loading what a command does not need takes longer than most commands. */
async function commandsFor(name: string | undefined): Promise<readonly Command[]> {
  const isOfDatabase = name !== undefined && OF_DATABASE.has(name);
  const ofAdmin = async (): Promise<Command[]> =>
    (await import('./admin/admin-commands.js')).adminCommands();
  const admin = isOfDatabase ? [] : await ofAdmin();
  if (admin.some((command) => command.name() === name)) return admin;
  const { databaseCommands } = await import('./database-commands.js');
  return [...databaseCommands(), ...admin];
}

const program = new Command('popindex')
  .description('The popularity-index data service, from the command line.')
  .version(VERSION)
  .addHelpText('after', EXIT_CODES);
for (const command of inGroups(await commandsFor(process.argv[2]))) program.addCommand(command);
await endWithUsageCode(program).parseAsync();
