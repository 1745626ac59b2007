import { Command } from 'commander';
import { migrate } from '#database/migrate.js';
import { withAnsweringDatabase } from '#web/startup-error.js';
import type { WithDatabase } from './backup-commands.js';
import { printResult } from './print-result.js';

/** Answer of a command that reads to an empty database. */
export const NO_LOG = 'there is no log yet: the first start of the service makes it';

/** `popindex migrate`: what each start does before it serves. */
export function migrateCommand(withDatabase: WithDatabase): Command {
  return new Command('migrate')
    .description('bring the tables up to this version, as each start of the service does')
    .option('--json', 'print the names of what ran as JSON')
    .addHelpText('after', '\nExample:\n  popindex migrate')
    .action(({ json = false }: { readonly json?: boolean }) =>
      withDatabase(async (database) => {
        const { url, migrationUrl } = database;
        const work = () => migrate(migrationUrl ?? url, url);
        const ran = await withAnsweringDatabase(database, work, true);
        const text = ran.length === 0 ? 'Nothing was to be done.' : `Ran ${ran.join(', ')}.`;
        printResult(json, ran, text);
        return 0;
      }),
    );
}
