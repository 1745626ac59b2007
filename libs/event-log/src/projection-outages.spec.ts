import type pg from 'pg';
import { openDatabase } from '#database/database.js';
import { appendAll } from '../../../test/setup/log-steps.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { bringUpProjections } from './bring-up-projection.js';
import { PostgresEventLog } from './postgres-event-log.js';
import { readDamage } from './damaged-accounts.js';
import { SYSTEM_ACCOUNT } from './event-log.js';
import type { Projection } from './projection.js';
import { ProjectionRunner } from './projection-runner.js';

const IDLE_MS = 100;

let database: TestDatabase;
/** Writes the log, and may write whatever the database is set to. */
let pool: pg.Pool;
let runnerPool: pg.Pool;
let runner: ProjectionRunner;
let faults: [code: unknown, fatal: boolean][];

beforeEach(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'outages.spec' });
  pool.on('connect', (client) => void client.query('set default_transaction_read_only = off'));
  runnerPool = openDatabase({ url: database.url, applicationName: 'runner' });
  faults = [];
  await pool.query('create table seen (lane int, position bigint check (position < 100))');
  const log = new PostgresEventLog(pool, database.groups);
  await appendAll(log, [TestAccount.inLane(1).many(3)]);
});

afterEach(async () => {
  await runner.stop();
  await Promise.all([pool.end(), runnerPool.end()]);
  await database.drop();
});

function projection(table: string, value = 'n.position', before?: () => Promise<void>): Projection {
  return {
    name: 'seen',
    version: 1,
    tables: ['seen'],
    async apply(events, client) {
      await before?.();
      await client.query(
        `insert into ${table} select n.lane, ${value} from unnest($1::int[], $2::int8[]) as n (lane, position)`,
        [events.map(({ lane }) => lane), events.map(({ position }) => position)],
      );
    },
  };
}

function start(given: Projection): void {
  runner = new ProjectionRunner(runnerPool, [given], {
    pollMs: 20,
    retryFirstMs: 5,
    retryMostMs: 50,
    onError: (_name, error, fatal) => faults.push([(error as pg.DatabaseError).code, fatal]),
  });
  runner.start();
}

async function expectAllSeen(): Promise<void> {
  await waitFor('all is applied', async () => (await runner.lag()).get('seen') === 0);
  const { rows } = await pool.query('select position from seen order by position');
  expect(rows.map(({ position }) => Number(position))).toEqual([1, 2, 3]);
  await waitFor('it runs again', () => runner.status()[0]?.state === 'running');
  expect(faults.filter(([, fatal]) => fatal)).toEqual([]);
}

/** Sessions that begin from now on read only, as on a standby. */
async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const name = new URL(database.url).pathname.slice(1);
  await pool.query(`alter database ${name} set default_transaction_read_only = ${value}`);
}

test('a transaction that the server ended for its silence is run again', async () => {
  await runnerPool.end();
  runnerPool = openDatabase({
    url: database.url,
    applicationName: 'runner',
    idleTransactionTimeoutMs: IDLE_MS,
  });
  let silences = 2;
  const silent = async (): Promise<void> => {
    if (silences-- <= 0) return;
    await new Promise((resolve) => setTimeout(resolve, 3 * IDLE_MS));
  };
  start(projection('seen', 'n.position', silent));
  await expectAllSeen();
  // A busy machine may be silent for as long by itself.
  expect(faults.length).toBeGreaterThanOrEqual(2);
});

test('a database that takes no writes is waited for', async () => {
  await setReadOnly('on');
  start(projection('seen'));
  await waitFor('faults are reported', () => faults.length > 2);
  expect(runner.status()[0]?.state).toBe('waiting-for-database');
  expect(faults[0]).toEqual(['25006', false]);
  await setReadOnly('off');
  await expectAllSeen();
});

test('a start waits for a database that takes no writes, and says so', async () => {
  await setReadOnly('on');
  const codes: unknown[] = [];
  const onOutage = (error: unknown): void => void codes.push((error as pg.DatabaseError).code);
  const up = bringUpProjections(runnerPool, [projection('seen')], { onOutage });
  await waitFor('the outage is reported', () => codes.length > 1);
  await setReadOnly('off');
  await up;
  expect(new Set(codes)).toEqual(new Set(['25006']));
  start(projection('seen'));
  await expectAllSeen();
});

test('what the database refuses for any other reason than the data is tried again', async () => {
  start(projection('elsewhere'));
  await waitFor('faults are reported', () => faults.length > 2);
  expect(faults[0]).toEqual(['42P01', false]);
  await pool.query('create view elsewhere as select * from seen');
  await expectAllSeen();
});

test('data of the system that the database refuses stops the projection', async () => {
  await appendAll(new PostgresEventLog(pool, database.groups), [
    new TestAccount(SYSTEM_ACCOUNT).many(1),
  ]);
  start(projection('seen', '100 + n.position'));
  await waitFor('it fails', () => runner.status()[0]?.state === 'failed');
  expect(faults).toEqual([['23514', true]]);
});

test('data of one account that the database refuses damages that account alone', async () => {
  const [sound, damaged] = [TestAccount.inLane(1), TestAccount.inLane(2)];
  await appendAll(new PostgresEventLog(pool, database.groups), [sound.many(2), damaged.many(4)]);
  start(projection('seen', 'case when n.lane = 2 and n.position > 2 then 100 else n.position end'));
  await waitFor('all is read', async () => (await runner.lag()).get('seen') === 0);
  const seen = await pool.query('select lane, position::int from seen order by lane, position');
  const places = seen.rows as readonly { readonly lane: number; readonly position: number }[];
  expect(places.map(({ lane, position }) => `${lane}/${position}`)).toEqual([
    '1/1',
    '1/2',
    '1/3',
    '1/4',
    '1/5',
    '2/1',
    '2/2',
  ]);
  expect(await readDamage(pool, {})).toEqual([
    expect.objectContaining({ accountId: damaged.id, lane: 2, position: 3, version: 3 }),
  ]);
  await appendAll(new PostgresEventLog(pool, database.groups), [damaged.many(1), sound.many(1)]);
  await waitFor('all is read', async () => (await runner.lag()).get('seen') === 0);
  expect((await pool.query('select from seen')).rowCount).toBe(8);
});

describe('where no account of a batch is sound', () => {
  /** Two lanes that are applied together, beside that of the account that is there. */
  let lanes: readonly number[];
  let accounts: readonly TestAccount[];

  beforeEach(() => {
    const apart = database.groups.filter((group) => !group.includes(0) && !group.includes(1));
    lanes = apart.find((group) => group.length > 1)?.slice(0, 2) ?? [];
    accounts = lanes.map((lane) => TestAccount.inLane(lane));
  });

  /** Refuses the events of both accounts from a position on. */
  async function refuseFrom(position: number): Promise<void> {
    const isRefused = `n.lane in (${lanes.join()}) and n.position >= ${position}`;
    start(projection('seen', `case when ${isRefused} then 100 else n.position end`));
    await waitFor('the others are read', async () => (await runner.lag()).get('seen') === 0);
    const lists = accounts.map(({ id }) => new TestAccount(id).many(2));
    await appendAll(new PostgresEventLog(pool, database.groups), lists);
  }

  test('each is damaged where it stops, if something of them could be applied', async () => {
    await refuseFrom(2);
    await waitFor('all is read', async () => (await runner.lag()).get('seen') === 0);
    const places = (await readDamage(pool, {})).map(({ lane, position }) => `${lane}/${position}`);
    expect(places).toEqual(lanes.map((lane) => `${lane}/2`));
    expect(faults).toEqual([]);
  });

  test('the projection stops and damages none, if nothing of several could be applied', async () => {
    await refuseFrom(1);
    await waitFor('it fails', () => runner.status()[0]?.state === 'failed');
    expect(await readDamage(pool, {})).toEqual([]);
  });
});
