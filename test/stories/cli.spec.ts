import { DemoFiles } from '../setup/demo-files.js';
import { Program, type Environment } from '../setup/program.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { waitFor } from '../setup/wait-for.js';

const MONTH = '2026-10-01';

let files: DemoFiles;
let directory: string;
let database: TestDatabase;
let env: Environment;

beforeAll(async () => {
  await Program.build();
  files = await DemoFiles.make();
  directory = await files.release(MONTH);
}, 120_000);

afterAll(() => files.remove());

beforeEach(async () => {
  database = await createTestDatabase();
  env = { DATABASE_URL: database.url };
});

afterEach(() => database.drop());

interface Release {
  readonly release: string;
  readonly through: string;
}

async function listed(): Promise<Release[]> {
  const program = Program.popindex(['release', 'list', '--json'], env);
  expect([await program.ended, program.stderr]).toEqual([0, '']);
  return JSON.parse(program.stdout) as Release[];
}

it('a directory is named from where the user stands', async () => {
  const from = { ...env, INIT_CWD: files.folder };
  const program = Program.popindex(['release', 'import', MONTH], from);
  expect([await program.ended, program.stdout]).toEqual([0, expect.stringMatching(/^Release r1 /)]);
  const table = Program.popindex(['release', 'list'], env);
  expect(await table.ended).toBe(0);
  expect(table.stdout).toMatch(
    /^release +window +through +withdrawn at\nr1 +\d{4}w\d\d +2026-10-01 +-\n$/,
  );
});

it('an import that kill -9 ends leaves no release, and the same again takes it', async () => {
  const killed = Program.popindex(['release', 'import', directory], env);
  await waitFor('it loads', () => killed.stderr.includes('loading'), 30_000);
  await killed.stop('SIGKILL');
  expect(await listed()).toEqual([]);
  const again = Program.popindex(['release', 'import', directory, '--json'], env);
  expect(await again.ended).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({
    outcome: 'published',
    rows: expect.any(Number),
  });
  expect(await listed()).toMatchObject([{ release: 'r1', through: MONTH }]);
});

it('an import that Ctrl-C ends says so, and nothing of it serves', async () => {
  const program = Program.popindex(['release', 'import', directory], env);
  await waitFor('it loads', () => program.stderr.includes('loading'), 30_000);
  program.child.kill('SIGINT');
  expect(await program.ended).toBe(130);
  expect(program.stderr).toContain('popindex: interrupted: nothing was imported');
  expect(await listed()).toEqual([]);
});

it('faults as JSON have file, line, column, reason, and how many more of a kind there are', async () => {
  const broken = await files.copy(directory, 'volumes.csv', (lines) =>
    lines.with(7, (lines[7] ?? '').replace(',us,', ',xx,')),
  );
  const program = Program.popindex(['release', 'import', broken, '--json'], env);
  expect(await program.ended).toBe(1);
  expect(JSON.parse(program.stdout)).toMatchObject({
    outcome: 'faulty',
    total: 1,
    faults: [
      {
        file: 'volumes.csv',
        line: 8,
        column: 'region',
        reason: expect.stringContaining('"xx"'),
        more: 0,
      },
    ],
  });
});

it.each<[string, number, readonly string[], Environment, RegExp]>([
  ['an unknown command', 2, ['dance'], {}, /^error: unknown command 'dance'/],
  ['an import of nothing', 2, ['release', 'import'], {}, /^error: missing required argument 'dir'/],
  [
    'a folder that is not there',
    1,
    ['release', 'import', 'tpyo'],
    {},
    /^popindex: \/.*\/tpyo is not there/,
  ],
  [
    'a wrong setting',
    1,
    ['release', 'list'],
    { BILLING_TIME_ZONE: 'Mars' },
    /^BILLING_TIME_ZONE: /,
  ],
  [
    'a database that is away',
    1,
    ['release', 'list'],
    { DATABASE_URL: 'postgresql://pix:opensesame@127.0.0.1:1/pix' },
    /^DATABASE_URL: the database at 127\.0\.0\.1:1\/pix does not answer/,
  ],
])('%s ends with %i and one line', async (_what, code, args, settings, line) => {
  const program = Program.popindex(args, { ...env, ...settings });
  expect([await program.ended, program.stdout]).toEqual([code, '']);
  expect(program.stderr).toMatch(line);
  const [, ...below] = program.stderr.trimEnd().split('\n');
  const usage = below.map((line) => line.split(':')[0]).filter((name) => name !== 'Commands');
  expect(usage).toEqual(code === 2 ? ['Usage', 'Options'] : []);
  expect(program.stderr).not.toContain('opensesame');
});

it.each([['--help'], ['-h'], ['api', '--help']])('the start answers %s %s', async (...args) => {
  const program = Program.node('bin/start.mjs', args, {});
  expect([await program.ended, program.stderr]).toEqual([0, '']);
  expect(program.stdout).toMatch(/^Usage: node bin\/start\.mjs \[api \| accounting \| popindex/);
});

const SETTINGS = 'Settings are environment variables, see docs/settings.md.';

it.each([
  [
    'bin/start.mjs',
    ['invoicing'],
    `"invoicing" is none of: api, accounting, popindex. ${SETTINGS}`,
  ],
  ['bin/start.mjs', ['api', '--port=1'], `"--port=1": api takes no arguments. ${SETTINGS}`],
  ['bin/built.mjs', [], 'It takes a program of the build, such as bench/main.js.'],
  ['bin/build-portal.mjs', ['--wach'], '"--wach" is not known here: it takes --watch or nothing.'],
])('%s ends with 2 and one line for %j', async (script, args, line) => {
  const program = Program.node(script, args, {});
  expect([await program.ended, program.stdout, program.stderr]).toEqual([2, '', `${line}\n`]);
});

it.each([
  ['dist/bench/main.js', ['--rounds', '0'], /'0' is invalid\. It takes a whole number from 1\./],
  ['dist/bench/torture/main.js', ['--only', 'rain'], /'rain' is invalid\. No fault is called so/],
  ['dist/bench/fill-log.js', ['--zone', 'Mars'], /It takes the name of an IANA time zone\./],
  ['test/simulator/run.mjs', ['--sed', '1'], /unknown option '--sed'/],
  ['test/simulator/run.mjs', ['--without', '1'], /it takes --seed too/],
  ['test/fuzz/run.mjs', ['--requests'], /option '--requests <n>' argument missing/],
])('%s ends with 2, the fault of %j and its usage', async (script, args, line) => {
  const program = Program.node(script, args, {});
  expect([await program.ended, program.stdout]).toEqual([2, '']);
  const [fault, ...below] = program.stderr.trimEnd().split('\n');
  expect(fault).toMatch(line);
  expect(below.slice(-2).map((line) => line.split(':')[0])).toEqual(['Usage', 'Options']);
});
