import type { Command } from 'commander';
import { ADMIN_COMMANDS, ADMIN_NOUNS } from './all-commands.js';
import { exportCommands } from './export-commands.js';
import { paymentCommands } from './import-payments.js';
import { adminCommand, nounCommand } from './run-admin-command.js';

/** Those that ask the admin REST. */
export function adminCommands(): Command[] {
  const own = [exportCommands(), paymentCommands()];
  return [...own, ...ADMIN_NOUNS.map(nounCommand), ...ADMIN_COMMANDS.map(adminCommand)];
}
