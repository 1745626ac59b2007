import { Command } from 'commander';
import { endWithUsageCode } from './usage-code.js';

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
  const program = new Command('tool').addCommand(show);
  for (const each of [program, show]) {
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
  expect(printed).toMatch(/\nUsage: .*\nCommands: show\nOptions: --help\n$/);
});

test('what is typed rightly ends with what it does, and help with 0', async () => {
  expect(await typed('show', 'x')).toEqual(['done', '']);
  expect(await typed('show', '--help')).toEqual(['exit 0', '']);
});
