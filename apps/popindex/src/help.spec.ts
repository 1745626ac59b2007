import type { Command } from 'commander';
import { ADMIN_COMMANDS, ADMIN_NOUNS } from './admin/all-commands.js';
import { exportCommands } from './admin/export-commands.js';
import { adminCommand, nounCommand } from './admin/run-admin-command.js';
import { backupCommand, restoreCommand } from './backup-commands.js';
import { projectionCommands, verifyCommand } from './log-commands.js';
import { releaseCommands } from './release-commands.js';

const NO_WORK = () => Promise.resolve();

const ALL: readonly Command[] = [
  releaseCommands(NO_WORK),
  projectionCommands(NO_WORK),
  verifyCommand(NO_WORK),
  backupCommand(NO_WORK),
  restoreCommand(NO_WORK),
  exportCommands(),
  ...ADMIN_NOUNS.map(nounCommand),
  ...ADMIN_COMMANDS.map(adminCommand),
];

/** Each command that does something, with its whole name. */
function leavesOf(command: Command, before = 'popindex'): [name: string, leaf: Command][] {
  const name = `${before} ${command.name()}`;
  if (command.commands.length === 0) return [[name, command]];
  return command.commands.flatMap((below) => leavesOf(below, name));
}

function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return help;
}

describe('The help of a command', () => {
  it.each(ALL.flatMap((command) => leavesOf(command)))('shows an example of %s', (name, leaf) => {
    const [, examples = ''] = helpOf(leaf).split(/\nExamples?:\n/);

    expect(examples).toContain(`  ${name}`);
  });
});
