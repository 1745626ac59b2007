import { once } from 'node:events';
import type pg from 'pg';
import { collectGarbage } from '../../../bench/collect-garbage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { openDatabase, withClient, withTransaction } from './database.js';
import { RenewingPool } from './renewing-pool.js';

interface Row {
  readonly n: number;
}

type QueryCallback = (error: Error | undefined, result: pg.QueryResult<Row>) => void;

const TEXT = 'select $1::int4 as n';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openDatabase({
    url: database.url,
    applicationName: 'chosen-client.spec',
    connectionsMax: 1,
    statementTimeoutMs: 60_000,
  });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

function called(send: (done: QueryCallback) => void): Promise<pg.QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    send((error, result) => (error ? reject(error) : resolve(result)));
  });
}

function noted(faults: (string | undefined)[]) {
  return (error: Error): void => void faults.push(error.message);
}

describe('a statement is answered', () => {
  type Ask = (client: pg.PoolClient) => Promise<pg.QueryResult<Row>>;
  const forms: [string, Ask][] = [
    ['text', (client) => client.query('select 7 as n')],
    ['text and values', (client) => client.query(TEXT, [7])],
    ['an object', (client) => client.query({ name: 'seven', text: TEXT, values: [7] })],
    ['an object and values', (client) => client.query({ text: TEXT }, [7])],
    ['text and a callback', (client) => called((done) => client.query('select 7 as n', done))],
    ['values and a callback', (client) => called((done) => client.query(TEXT, [7], done))],
    [
      'an object and a callback',
      (client) => called((done) => client.query({ text: TEXT, values: [7] }, done)),
    ],
  ];

  test.each(forms)('given as %s', async (_form, ask) => {
    const { rows } = await withClient(pool, ask);
    expect(rows).toEqual([{ n: 7 }]);
  });

  test('and what was given stays as it was', async () => {
    const statement = Object.freeze({ text: TEXT, values: [7] });
    await withClient(pool, (client) => client.query(statement));
    await withClient(pool, (client) => called((done) => client.query(statement, done)));
  });
});

test('an error has the stack of those who asked', async () => {
  const error: Error = await pool.query('select 1 / 0').then(
    () => new Error('none'),
    (thrown: Error) => thrown,
  );
  expect(error.message).toBe('division by zero');
  expect(error.stack).not.toContain('onStreamRead');
});

test('a server that says nothing for long is given up once', async () => {
  const impatient = new RenewingPool(database.url, { max: 1, query_timeout: 100 });
  const client = await impatient.connect();
  const faults: (string | undefined)[] = [];
  const ask = (text: string) =>
    called((done) =>
      client.query(text, (error: Error | undefined, result: pg.QueryResult<Row>) => {
        faults.push(error?.message);
        done(undefined, result);
      }),
    );
  for (const send of [ask, (text: string) => client.query(text).catch(noted(faults))]) {
    let answered: Promise<unknown> | undefined;
    await withTransaction(pool, async (holder) => {
      await holder.query('select pg_advisory_xact_lock(7)');
      await send('select pg_advisory_xact_lock(7)');
      answered = once(client, 'drain');
    });
    // The lock is free, so the server answers what was given up.
    await answered;
  }
  expect(faults).toEqual(['Query read timeout', 'Query read timeout']);
  client.release(true);
  await impatient.end();
});

test('what a statement took is collected with the young', async () => {
  const collectYoung = (): void => collectGarbage({ type: 'minor' });
  const send = (client: pg.PoolClient, megabytes: number) =>
    client.query({
      text: 'select length($1::bytea) as n',
      values: [Buffer.alloc(megabytes * 1e6)],
    });
  await withClient(pool, async (client) => {
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    for (let round = 0; round < 30; round += 1) {
      await send(client, 1);
      collectYoung();
      collectYoung();
    }
    await send(client, 0);
    collectYoung();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5e6);
  });
});
