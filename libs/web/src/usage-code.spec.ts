import { Command, InvalidArgumentError, Option } from 'commander';
import { endWithUsageCode } from './usage-code.js';

function count(text: string): number {
  if (/^-?\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`"${text}" is no number.`);
}

/** The exit code of a program and its standard error. */
async function typed(...args: string[]): Promise<[code: unknown, printed: string]> {
  let printed = '';
  const exit = jest.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${String(code)}`);
  });
  const show = new Command('show')
    .option('--json')
    .argument('<id>')
    .action(() => undefined);
  const add = new Command('add')
    .argument('<id>')
    .argument('<count>', 'how many', count)
    .requiredOption('--kind <kind>')
    .option('--limit <number>', 'at most', count)
    .addOption(new Option('--tone <tone>').choices(['high', 'low']).conflicts('limit'))
    .hook('preAction', (command) => {
      if (command.opts()['kind'] === 'free') command.error('error: nothing is free');
    })
    .action(() => undefined);
  const program = new Command('tool').addCommand(show).addCommand(add);
  for (const each of [program, show, add]) {
    each.configureOutput({ writeErr: (text) => (printed += text), writeOut: () => undefined });
  }
  const ended = await endWithUsageCode(program)
    .parseAsync(args, { from: 'user' })
    .then(() => 'done')
    .catch((error: Error) => error.message);
  exit.mockRestore();
  return [ended, printed];
}

const USAGE = 'Usage: tool show [options] <id>\nOptions: --json, --help\n';

test.each([
  ['an unknown option', ['show', 'x', '--jsn'], "error: unknown option '--jsn'"],
  ['a missing argument', ['show'], "error: missing required argument 'id'"],
  ['one argument too many', ['show', 'x', 'y'], 'error: too many arguments'],
])('%s ends with 2, its fault in one line and the usage below', async (_what, args, fault) => {
  const [ended, printed] = await typed(...args);
  expect(ended).toBe('exit 2');
  expect(printed).toContain(fault);
  expect(printed.endsWith(`\n${USAGE}`)).toBe(true);
});

test('an unknown command ends with 2 and the commands that there are', async () => {
  const [ended, printed] = await typed('shwo');
  expect(ended).toBe('exit 2');
  expect(printed).toMatch(/\nUsage: .*\nCommands: show, add\nOptions: --help\n$/);
});

const UNKNOWN = "error: unknown option '--knd'\n(Did you mean --kind?)";
const NO_KIND = "error: required option '--kind <kind>' not specified";
const NO_COUNT = "error: missing required argument 'count'";

const TOO_MANY = "error: too many arguments for 'add'. Expected 2 arguments but got 3.";
const NO_NUMBER = "error: value 'y' is invalid for argument 'count'. \"y\" is no number.";

test.each([
  [
    ['--knd', 'x', '7', '--jsn=1'],
    [UNKNOWN, "error: unknown option '--jsn'", NO_KIND],
  ],
  [[], [NO_KIND, "error: missing required argument 'id'", NO_COUNT]],
  [
    ['x', '--knd', '--kind', 'a'],
    [UNKNOWN, NO_COUNT],
  ],
  [
    ['x', 'y', 'z', '--kind', 'a', '--knd'],
    [UNKNOWN, TOO_MANY, NO_NUMBER],
  ],
  [
    ['x', 'y', '--limit', 'many', '--tone', 'loud', '--kind', 'free'],
    [
      "error: option '--limit <number>' argument 'many' is invalid. \"many\" is no number.",
      "error: option '--tone <tone>' argument 'loud' is invalid. Allowed choices are high, low.",
      "error: option '--tone <tone>' cannot be used with option '--limit <number>'",
      NO_NUMBER,
      'error: nothing is free',
    ],
  ],
  [['x', '-5', '--kind'], ["error: option '--kind <kind>' argument missing"]],
])('all faults of %j are named at once', async (args, faults) => {
  const [ended, printed] = await typed('add', ...args);
  expect(ended).toBe('exit 2');
  expect(printed.slice(0, printed.indexOf('\nUsage: ')).split(/\n(?=error)/)).toEqual(faults);
});

test('a word behind an option that there is not may be its value, and is not judged', async () => {
  const [, printed] = await typed('add', 'x', '--knd', 'y', '5', '--kind', 'a');
  expect(printed.split('\nUsage: ')[0]).toBe(UNKNOWN);
});

test('what is typed rightly ends with what it does, and help with 0', async () => {
  expect(await typed('show', 'x')).toEqual(['done', '']);
  expect(await typed('add', 'x', '-5', '--kind', 'a', '--limit', '3')).toEqual(['done', '']);
  expect(await typed('show', '--help')).toEqual(['exit 0', '']);
  expect(await typed('add', '--knd', '--help')).toEqual(['exit 0', '']);
});
