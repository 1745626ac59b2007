import type { Command } from 'commander';
import { ADMIN_COMMANDS, ADMIN_NOUNS } from './all-commands.js';
import { exportCommands } from './export-commands.js';
import { adminCommand, nounCommand } from './run-admin-command.js';

/** Those that ask the admin REST. */
export function adminCommands(): Command[] {
  return [exportCommands(), ...ADMIN_NOUNS.map(nounCommand), ...ADMIN_COMMANDS.map(adminCommand)];
}
