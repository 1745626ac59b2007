import { Command } from 'commander';
import { endWithUsageCode } from './usage-code.js';

/** What a program ends with and says on standard error. */
async function typed(...args: string[]): Promise<[code: unknown, told: string]> {
  let told = '';
  const exit = jest.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${String(code)}`);
  });
  const show = new Command('show')
    .option('--json')
    .argument('<id>')
    .action(() => undefined);
  const program = new Command('tool').addCommand(show);
  for (const each of [program, show]) {
    each.configureOutput({ writeErr: (text) => (told += text), writeOut: () => undefined });
  }
  const ended = await endWithUsageCode(program)
    .parseAsync(args, { from: 'user' })
    .then(() => 'done')
    .catch((error: Error) => error.message);
  exit.mockRestore();
  return [ended, told];
}

const USAGE = 'Usage: tool show [options] <id>\nOptions: --json, --help\n';

test.each([
  ['an unknown option', ['show', 'x', '--jsn'], "error: unknown option '--jsn'"],
  ['a missing argument', ['show'], "error: missing required argument 'id'"],
  ['one argument too many', ['show', 'x', 'y'], 'error: too many arguments'],
])('%s ends with 2, its fault in one line and the usage below', async (_what, args, fault) => {
  const [ended, told] = await typed(...args);
  expect(ended).toBe('exit 2');
  expect(told).toContain(fault);
  expect(told.endsWith(`\n${USAGE}`)).toBe(true);
});

test('what is typed rightly ends with what it does, and help with 0', async () => {
  expect(await typed('show', 'x')).toEqual(['done', '']);
  expect(await typed('show', '--help')).toEqual(['exit 0', '']);
});
