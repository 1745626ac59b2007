import { existsSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
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

/** Every command that only reads, with what it needs. */
function commands(): readonly (readonly string[])[] {
  return [
    ['verify', '--lane', '3'],
    ['verify', '--invoice', 'INV-000001'],
    ['projections', 'list'],
    ['release', 'list'],
    ['backup', path.join(folder.path, 'backup')],
  ];
}

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

async function expectLine(line: RegExp, env: Environment = {}): Promise<void> {
  const before = await contents();
  for (const args of commands()) {
    const [code, stdout, stderr] = await run(args, { DATABASE_URL: database.url, ...env });
    const said = args[0] === 'backup' ? `${stdout}${stderr}` : stderr;
    if (args[1] === '--lane' && code === 0) expect(stdout).toMatch(line);
    else expect([args[0], code, said]).toEqual([args[0], 1, expect.stringMatching(line)]);
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
    expect([args, code]).toEqual([args, args[1] === '--lane' ? 0 : 1]);
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
  await client.query(`delete from migration where id = (select max(id) from migration)`);
  for (const args of commands().filter(([name]) => name !== 'backup')) {
    const [code, , stderr] = await run(args, { DATABASE_URL: database.url });
    expect([args, code, stderr]).toEqual([
      args,
      1,
      expect.stringMatching(/^DATABASE_URL: an older version has migrated .*`popindex migrate`/),
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
  await expectLine(/newer version has migrated/i);
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
      expect(`${stdout}${stderr}`).toMatch(/lacks a right|refuses: permission denied/);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
  } finally {
    await client.query(`drop role ${role}`);
  }
}, 60_000);
