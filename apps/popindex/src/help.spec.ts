import type { Command } from 'commander';
import { RESOURCES } from '#rest/resources.js';
import { adminCommands } from './admin/admin-commands.js';
import { COMMAND_GROUPS, inGroups } from './command-groups.js';
import { databaseCommands } from './database-commands.js';

const ALL: readonly Command[] = [...databaseCommands(), ...adminCommands()];

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

test('every operation with a command is reached by it', () => {
  const names = ALL.flatMap((command) => leavesOf(command)).map(([name]) => name);
  const wanted = RESOURCES.flatMap(({ operations }) =>
    operations.flatMap(({ cli }) => (cli === undefined ? [] : [`popindex ${cli.name}`])),
  );
  expect(wanted.filter((name) => !names.includes(name))).toEqual([]);
});

test('every command stands in one group of the help', () => {
  const grouped = Object.values(COMMAND_GROUPS).flat();
  expect(grouped.toSorted()).toEqual(ALL.map((command) => command.name()).toSorted());
  const names = inGroups(ALL).map((command) => [command.helpGroup(), command.name()]);
  expect(names[0]).toEqual(['Customers:', 'search']);
  expect(names.map(([, name]) => name)).toEqual(grouped);
});

test('a command is a noun with a verb, but for what is done to the whole service', () => {
  const alone = ALL.filter((command) => command.commands.length === 0);
  expect(alone.map((command) => command.name()).toSorted()).toEqual([
    'backup',
    'migrate',
    'restore',
    'search',
    'verify',
  ]);
});

describe('The help of a command', () => {
  it.each(ALL.flatMap((command) => leavesOf(command)))('shows an example of %s', (name, leaf) => {
    const [, examples = ''] = helpOf(leaf).split(/\nExamples?:\n/);

    expect(examples).toContain(`  ${name}`);
  });
});
