import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import pg from 'pg';
import { databaseCommands } from '../../apps/popindex/src/database-commands.js';
import { DataFolder } from '../setup/data-folder.js';
import { Program, type Environment } from '../setup/program.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { wipeDatabase } from '../setup/wipe-database.js';

let folder: DataFolder;
let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  await Program.build();
  folder = await DataFolder.make();
}, 120_000);

afterAll(() => folder.remove());

beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await database.drop();
});

/** Commands of the database that change it: that is what they are for. */
const CHANGING = [
  'migrate',
  'release import',
  'release withdraw',
  'projections rebuild',
  'restore',
  'cluster init',
  'cluster rebalance',
];

/** Every other one, with what it needs. */
function commands(): readonly (readonly string[])[] {
  return [
    ['verify'],
    ['verify', '--lane', '3'],
    ['verify', '--invoice', 'INV-000001'],
    ['projections', 'list'],
    ['release', 'list'],
    ['backup', path.join(folder.path, 'backup')],
    ['cluster', 'status'],
  ];
}

/** Their names, `release list` for example. */
function namesOf(commands: readonly Command[], before = ''): string[] {
  return commands.flatMap((command) =>
    command.commands.length === 0
      ? [`${before}${command.name()}`]
      : namesOf(command.commands, `${before}${command.name()} `),
  );
}

test('each command of the database is known to change it, or is held to reading', () => {
  const reading = commands().map((args) => args.filter((arg) => /^[a-z]+$/.test(arg)).join(' '));
  expect(new Set([...CHANGING, ...reading])).toEqual(new Set(namesOf(databaseCommands())));
});

async function run(args: readonly string[], env: Environment): Promise<[number, string, string]> {
  const program = Program.popindex(args, env);
  const code = await program.ended;
  return [code ?? -1, program.stdout.trim(), program.stderr.trim()];
}

/** Whatever a command may have left in the database. */
async function contents(): Promise<unknown> {
  const { rows } = await client.query(
    `select relname from pg_class where relnamespace = 'public'::regnamespace order by 1`,
  );
  return rows;
}

/** Of a whole log, not of one invoice. */
function isVerify([name, option]: readonly string[]): boolean {
  return name === 'verify' && option !== '--invoice';
}

const NO_CLUSTER = /has no extension Citus|does not answer|refuses the user name/;

async function expectLine(line: RegExp, env: Environment = {}): Promise<void> {
  const before = await contents();
  for (const args of commands()) {
    const [code, stdout, stderr] = await run(args, { DATABASE_URL: database.url, ...env });
    const said = args[0] === 'backup' ? `${stdout}${stderr}` : stderr;
    if (isVerify(args) && code === 0) expect(stdout).toMatch(line);
    else {
      const expected = args[0] === 'cluster' ? NO_CLUSTER : line;
      expect([args[0], code, said]).toEqual([args[0], 1, expect.stringMatching(expected)]);
    }
    expect(said.split('\n').length).toBeLessThanOrEqual(2);
  }
  expect(await contents()).toEqual(before);
}

it('an empty database has no log yet, and stays empty', async () => {
  await wipeDatabase(client);
  await expectLine(/no log yet/);
  expect(await contents()).toEqual([]);
  const [code, stdout, stderr] = await run(['verify', '--json'], { DATABASE_URL: database.url });
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({ intact: true, lanes: 0, events: 0 });
}, 60_000);

it('an embedded database that was never started is not made', async () => {
  const own = await DataFolder.make();
  for (const args of commands()) {
    const [code, stdout, stderr] = await run(args, { DATABASE_URL: '', DATA_DIR: own.path });
    expect([args, code]).toEqual([args, isVerify(args) ? 0 : 1]);
    expect(`${stdout}${stderr}`).toMatch(/there is no log yet/);
  }
  expect(existsSync(own.path)).toBe(false);
  await own.remove();
}, 60_000);

it('a database that is only migrated is sound: projections are not begun', async () => {
  const [code, stdout] = await run(['verify'], { DATABASE_URL: database.url });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^note {2}Projection ledger is not begun/m);
  expect(stdout).not.toMatch(/WRONG|DAMAGED/);
  for (const list of [
    ['projections', 'list'],
    ['release', 'list'],
  ]) {
    expect((await run(list, { DATABASE_URL: database.url }))[0]).toBe(0);
  }
  const { rows } = await client.query('select count(*)::int as events from event');
  expect(rows).toEqual([{ events: 0 }]);
}, 60_000);

it('a database of another program is named as such', async () => {
  await wipeDatabase(client);
  await client.query('create table orders (id int)');
  await expectLine(/tables of another program|no log yet/);
}, 60_000);

it('an older database is left as it is, until migrate brings it up', async () => {
  await client.query(`
    delete from migration where id = (select max(id) from migration);
    alter table sign_in_link drop column kind;
    alter table portal_session drop column is_confined`);
  for (const args of commands().filter(([name]) => name !== 'backup' && name !== 'cluster')) {
    const [code, , stderr] = await run(args, { DATABASE_URL: database.url });
    expect([args, code, stderr]).toEqual([
      args,
      1,
      expect.stringMatching(
        /^DATABASE_URL: .* was migrated by an older version: `popindex migrate`/,
      ),
    ]);
  }
  const { rows } = await client.query('select count(*)::int as count from migration');
  const [code, stdout] = await run(['migrate'], { DATABASE_URL: database.url });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Ran \w+\.$/)]);
  const { rows: after } = await client.query('select count(*)::int as count from migration');
  expect(after[0].count).toBe(rows[0].count + 1);
  expect((await run(['migrate'], { DATABASE_URL: database.url }))[1]).toBe(
    'Nothing was to be done.',
  );
}, 60_000);

it('a newer database, a wrong password and a server that is away are a line each', async () => {
  await client.query(
    `insert into migration (timestamp, name) values (9999999999999, 'Newer9999999999999')`,
  );
  await expectLine(/newer version has migrated|was migrated by a newer version/i);
  const url = new URL(database.url);
  url.password = 'opensesame';
  await expectLine(/refuses the user name or password/, { DATABASE_URL: url.href });
  const away = 'postgresql://pix:sesame@127.0.0.1:1/pix';
  await expectLine(/does not answer/, { DATABASE_URL: away });
}, 90_000);

it('a user without rights gets one line that says so', async () => {
  await client.query('revoke all on lane from public');
  const role = `popindex_reader_${process.pid}`;
  await client.query(`create role ${role} login password 'reader'`);
  const url = new URL(database.url);
  url.username = role;
  url.password = 'reader';
  try {
    for (const args of commands()) {
      const [code, stdout, stderr] = await run(args, { DATABASE_URL: url.href });
      expect([args, code]).toEqual([args, 1]);
      expect(`${stdout}${stderr}`).toMatch(
        /lacks a right|refuses: permission denied|no extension Citus/,
      );
      expect(stderr).not.toMatch(/^\s+at /m);
    }
  } finally {
    await client.query(`drop role ${role}`);
  }
}, 60_000);

it.each<[fault: string, code: number, args: readonly string[], line: RegExp]>([
  [
    'a backup that is not there',
    1,
    ['restore', '/nope'],
    /^popindex: \/nope is not there; nothing was restored$/,
  ],
  ['a folder without a backup', 1, ['restore', 'FOLDER'], /^manifest\.json: is missing/],
  ['a folder that holds something', 1, ['backup', 'FOLDER'], /The folder .* is not empty/],
  ['a file instead of a folder', 1, ['backup', 'FOLDER/a'], /is not a folder/],
  [
    'a release that is not there',
    1,
    ['release', 'import', '/nope'],
    /^popindex: \/nope is not there/,
  ],
  ['no window', 2, ['release', 'import', 'FOLDER', '--window', 'next'], /label of a window/],
  ['no projection', 2, ['projections', 'rebuild', 'ledgers'], /Allowed choices are/],
  ['no lane', 2, ['verify', '--lane', '65'], /from 0 to 64/],
  ['no number of an invoice', 2, ['verify', '--invoice', 'mine'], /INV-000001/],
  ['no number of shards', 2, ['cluster', 'init', '--shards', '0'], /It takes a number/],
])('%s is reported before a database that is away', async (_fault, code, args, line) => {
  const own = await DataFolder.make();
  const filled = path.join(folder.path, 'filled');
  await mkdir(filled, { recursive: true });
  await writeFile(path.join(filled, 'a'), '');
  const given = args.map((arg) => arg.replace('FOLDER', filled));
  const away: Environment = { DATABASE_URL: 'postgresql://a@127.0.0.1:1/a' };
  for (const env of [away, { DATABASE_URL: '', DATA_DIR: own.path }]) {
    const [found, stdout, stderr] = await run(given, env);
    expect([found, `${stdout}${stderr}`]).toEqual([code, expect.stringMatching(line)]);
  }
  expect(existsSync(own.path)).toBe(false);
  await own.remove();
});
