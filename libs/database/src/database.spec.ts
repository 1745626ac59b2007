import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { openDatabase, withClient, withTransaction } from './database.js';
import { faultOf } from './errors.js';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openDatabase({
    url: database.url,
    applicationName: 'database.spec',
    connectionsMax: 2,
    statementTimeoutMs: 2_000,
  });
  await pool.query('create table note (id int primary key, text text)');
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

beforeEach(() => pool.query('truncate note'));

async function notes(): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>('select id from note order by id');
  return rows.map(({ id }) => id);
}

async function backendOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

test('a bigint arrives as a number, up to the largest safe integer', async () => {
  const { rows } = await pool.query('select 9007199254740991::int8 as most, null::int8 as none');
  expect(rows).toEqual([{ most: Number.MAX_SAFE_INTEGER, none: null }]);
});

test('a bigint beyond the safe integers fails its query instead of being rounded', async () => {
  await expect(pool.query('select 9007199254740992::int8')).rejects.toThrow(RangeError);
  await expect(pool.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
});

test('the session carries its name and its statement timeout', async () => {
  const { rows } = await pool.query(
    `select current_setting('application_name') as name,
            current_setting('statement_timeout') as timeout`,
  );
  expect(rows).toEqual([{ name: 'database.spec', timeout: '2s' }]);
});

test('commits wait for the disk unless a pool is opened without', async () => {
  const setting = async (one: pg.Pool): Promise<unknown> =>
    (await one.query('show synchronous_commit')).rows[0];
  const hasty = openDatabase({ url: database.url, applicationName: 'hasty', commitsWait: false });
  try {
    expect(await setting(pool)).toEqual({ synchronous_commit: 'on' });
    expect(await setting(hasty)).toEqual({ synchronous_commit: 'off' });
  } finally {
    await hasty.end();
  }
});

test('a transaction commits when its work resolves, and answers its result', async () => {
  const result = await withTransaction(pool, async (client) => {
    await client.query('insert into note values (1)');
    return 'done';
  });
  expect(result).toBe('done');
  expect(await notes()).toEqual([1]);
});

test('a transaction whose work throws is rolled back, and its connection stays', async () => {
  const used: number[] = [];
  for (let round = 0; round < 3; round++) {
    const failing = withTransaction(pool, async (client) => {
      used.push(await backendOf(client));
      await client.query('insert into note values (1)');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
  }
  expect(await notes()).toEqual([]);
  expect(new Set(used).size).toBe(1);
});

test('a transaction whose work swallowed a failed statement throws', async () => {
  const swallowing = withTransaction(pool, async (client) => {
    await client.query('insert into note values (1)');
    await client.query('insert into note values (1)').catch(() => undefined);
  });
  await expect(swallowing).rejects.toThrow('rolled back');
  expect(await notes()).toEqual([]);
});

test('the isolation asked for is the one that the transaction has', async () => {
  const isolation = await withTransaction(
    pool,
    async (client) => (await client.query('show transaction_isolation')).rows[0],
    'repeatable read',
  );
  expect(isolation).toEqual({ transaction_isolation: 'repeatable read' });
});

test('a connection left inside a transaction never goes back to the pool', async () => {
  const left = await withClient(pool, async (client) => {
    await client.query('begin');
    return backendOf(client);
  });
  const { rows } = await pool.query('select pid from pg_stat_activity where state like $1', [
    'idle in transaction%',
  ]);
  expect(rows).not.toContainEqual({ pid: left });
});

test('a connection ended by the server fails as lost, and the pool goes on', async () => {
  const lost = withTransaction(pool, async (client) => {
    const pid = await backendOf(client);
    // A cluster has a second function of this name, for larger numbers.
    await pool.query('select pg_terminate_backend($1::int)', [pid]);
    await client.query('select pg_sleep(1)');
  });
  expect(faultOf(await lost.catch((error: unknown) => error))).toBe('connection-lost');
  await expect(pool.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
});

test('a connection that is lost while nobody uses it is reported and replaced', async () => {
  const name = 'idle connection';
  let report: (error: Error) => void = () => undefined;
  const reported = new Promise<Error>((resolve) => {
    report = resolve;
  });
  const idle = openDatabase({
    url: database.url,
    applicationName: name,
    onIdleError: (error) => report(error),
  });
  await idle.query('select 1');
  await pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
    [name],
  );
  expect(faultOf(await reported)).toBe('connection-lost');
  await expect(idle.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
  await idle.end();
});
