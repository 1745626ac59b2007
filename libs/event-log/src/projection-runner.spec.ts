import type pg from 'pg';
import { openDatabase } from '#database/database.js';
import { appendAll } from '../../../test/setup/log-steps.js';
import { TcpProxy } from '../../../test/setup/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { SYSTEM_ACCOUNT, SYSTEM_LANE, type StoredEvent } from './event-log.js';
import { PostgresEventLog } from './postgres-event-log.js';
import type { Projection } from './projection.js';
import { ProjectionRunner, type RunnerOptions } from './projection-runner.js';

let database: TestDatabase;
let proxy: TcpProxy;
/** Never disturbed: writes the log and checks what was projected. */
let pool: pg.Pool;
/** Goes through the proxy: what the runners use. */
let runnerPool: pg.Pool;
let log: PostgresEventLog;
let runners: ProjectionRunner[];

beforeEach(async () => {
  database = await createTestDatabase();
  proxy = await TcpProxy.start(database.url);
  pool = openDatabase({ url: database.url, applicationName: 'runner.spec' });
  runnerPool = openDatabase({ url: proxy.url, applicationName: 'runner' });
  log = new PostgresEventLog(pool, database.groups);
  runners = [];
  // A second application of an event breaks the key; the serial says in which order they came.
  await pool.query(`create table seen (
    lane int, position bigint, runner text, nth bigserial, primary key (lane, position))`);
});

afterEach(async () => {
  proxy.setMode('pass');
  await Promise.all(runners.map((runner) => runner.stop()));
  await Promise.all([pool.end(), runnerPool.end()]);
  await proxy.stop();
  await database.drop();
});

type Disturbance = (events: readonly StoredEvent[], client: pg.ClientBase) => Promise<void>;

/** Writes down each event, then lets the test disturb the transaction. */
function recorder(runner = 'one', disturb?: Disturbance): Projection {
  return {
    name: 'seen',
    version: 1,
    tables: ['seen'],
    async apply(events, client) {
      await client.query(
        `insert into seen (lane, position, runner)
         select n.lane, n.position, $3 from unnest($1::int[], $2::int8[])
           with ordinality as n (lane, position, nth) order by n.nth`,
        [events.map(({ lane }) => lane), events.map(({ position }) => position), runner],
      );
      await disturb?.(events, client);
    },
  };
}

function start(projections: readonly Projection[], options: RunnerOptions = {}): ProjectionRunner {
  const runner = new ProjectionRunner(runnerPool, projections, {
    pollMs: 20,
    retryFirstMs: 5,
    retryMostMs: 50,
    ...options,
  });
  runners.push(runner);
  runner.start();
  return runner;
}

/** Appends `batches` times `count` events to each lane; answers the lanes' positions. */
async function fill(lanes: number[], batches: number, count: number): Promise<Map<number, number>> {
  const accounts = lanes.map((lane) =>
    lane === SYSTEM_LANE ? new TestAccount(SYSTEM_ACCOUNT) : TestAccount.inLane(lane),
  );
  for (let batch = 0; batch < batches; batch++) {
    await appendAll(
      log,
      accounts.map((account) => account.many(count)),
    );
  }
  return new Map((await log.ends(lanes)).map(({ lane, position }) => [lane, position]));
}

/** Each event once, each lane in order, and the checkpoints at the lanes' ends. */
async function expectAllSeenOnce(): Promise<void> {
  const { rows } = await pool.query<{ lane: number; position: number }>(
    'select lane, position from seen order by lane, nth',
  );
  const ends = await log.ends();
  expect(rows).toEqual(
    ends.flatMap(({ lane, position: end }) =>
      Array.from({ length: end }, (_, index) => ({ lane, position: index + 1 })),
    ),
  );
  const behind = await pool.query(
    'select from lane join checkpoint using (lane) where lane.position <> checkpoint.position',
  );
  expect(behind.rowCount).toBe(0);
}

test('every event is applied once, in the order of its lane, in many transactions', async () => {
  const positions = await fill([1, 2, 64], 5, 7);
  const sizes: number[] = [];
  const runner = start([recorder('one', async (events) => void sizes.push(events.length))], {
    eventsMax: 10,
  });
  expect(await runner.catchUp('seen', positions, 10_000)).toBe(true);
  expect(Math.max(...sizes)).toBe(10);
  await expectAllSeenOnce();
  expect(await runner.catchUp('seen', await fill([1, 3], 2, 2), 10_000)).toBe(true);
  await expectAllSeenOnce();
  expect(runner.status()).toEqual([
    { name: 'seen', version: 1, state: 'running', error: undefined },
  ]);
});

test('a connection killed in mid-transaction loses nothing and doubles nothing', async () => {
  let kills = 3;
  const outages: boolean[] = [];
  const kill: Disturbance = async (_events, client) => {
    if (kills-- <= 0) return;
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await client.query('select pg_sleep(5)');
  };
  const positions = await fill([1, 2], 4, 3);
  const runner = start([recorder('one', kill)], {
    eventsMax: 5,
    onError: (_name, _error, fatal) => outages.push(fatal),
  });
  expect(await runner.catchUp('seen', positions, 10_000)).toBe(true);
  expect(outages).toEqual([false, false, false]);
  await expectAllSeenOnce();
});

test('a commit whose answer is lost is not applied again', async () => {
  let cuts = 2;
  const answersBeforeCommit = 1;
  const handed: string[] = [];
  const cut: Disturbance = async (events) => {
    handed.push(...events.map(({ lane, position }) => `${lane}/${position}`));
    if (cuts-- > 0) proxy.setMode('cut-answer', answersBeforeCommit);
  };
  const positions = await fill([1, 2], 4, 3);
  const outages: boolean[] = [];
  start([recorder('one', cut)], {
    eventsMax: 5,
    onError: (_name, _error, fatal) => outages.push(fatal),
  });
  // Watches on connections of its own, so that the answer that is cut is the runner's.
  const watcher = new ProjectionRunner(pool, [recorder()]);
  expect(await watcher.catchUp('seen', positions, 10_000)).toBe(true);
  expect(outages).toEqual([false, false]);
  // Had the commit itself been lost, its events would have been handed over again.
  expect(new Set(handed).size).toBe(handed.length);
  await expectAllSeenOnce();
});

test('two runners side by side share the lanes, and no event is applied twice', async () => {
  const lanes = Array.from({ length: 16 }, (_, index) => index + 1);
  const pair = ['one', 'two'].map((name) => start([recorder(name)], { eventsMax: 10 }));
  // Which of them comes first to a lane is chance.
  await waitFor('each has applied some', async () => {
    const positions = await fill(lanes, 4, 10);
    for (const runner of pair) {
      expect(await runner.catchUp('seen', positions, 10_000)).toBe(true);
    }
    return (await pool.query('select distinct runner from seen')).rowCount === pair.length;
  });
  await expectAllSeenOnce();
  expect(pair.flatMap((runner) => runner.status()).map(({ state }) => state)).toEqual([
    'running',
    'running',
  ]);
});

test('an error at an event of the system stops that projection alone and skips nothing', async () => {
  let broken = true;
  const errors: [string, unknown, boolean][] = [];
  const failing = recorder('one', async (events) => {
    if (broken && events.some(({ position }) => position > 2)) throw new Error('cannot be');
  });
  const calm: Projection = { name: 'calm', version: 1, tables: [], apply: async () => undefined };
  const positions = await fill([SYSTEM_LANE], 3, 1);
  const runner = start([failing, calm], {
    eventsMax: 2,
    onError: (...args) => errors.push(args),
  });
  await waitFor('the projection fails', () => runner.status()[0]?.state === 'failed');
  expect(runner.status()[0]?.error).toEqual(new Error('cannot be'));
  expect(errors).toEqual([['seen', new Error('cannot be'), true]]);
  expect(await runner.catchUp('calm', positions, 10_000)).toBe(true);
  expect(await runner.lag()).toEqual(
    new Map([
      ['seen', 1],
      ['calm', 0],
    ]),
  );
  expect(await runner.catchUp('seen', positions, 30)).toBe(false);
  broken = false;
  runner.start();
  expect(await runner.catchUp('seen', positions, 10_000)).toBe(true);
  expect(runner.status()[0]).toMatchObject({ state: 'running', error: undefined });
  await expectAllSeenOnce();
});

test('rows that another version built are not continued', async () => {
  const runner = start([recorder()]);
  await runner.catchUp('seen', await fill([1], 1, 1), 10_000);
  await runner.stop();
  const newer = start([{ ...recorder(), version: 2 }]);
  await waitFor('the newer version waits', () => newer.status()[0]?.state === 'outdated');
  expect(String(newer.status()[0]?.error)).toContain('of version 1: version 2 needs a rebuild');
  await pool.query('update checkpoint set version = 2, position = 0');
  await pool.query('truncate seen');
  await waitFor('it goes on', () => newer.status()[0]?.state === 'running');
  await waitFor('it has seen all', async () => (await newer.lag()).get('seen') === 0);
  await expectAllSeenOnce();
});

test('a runner stops loudly once a newer version has taken its rows over', async () => {
  const runner = start([recorder()]);
  expect(await runner.catchUp('seen', await fill([1], 1, 1), 10_000)).toBe(true);
  await pool.query('update checkpoint set version = 2');
  await fill([1], 1, 1);
  await waitFor('the older version fails', () => runner.status()[0]?.state === 'failed');
  expect(String(runner.status()[0]?.error)).toContain('a newer program has made them');
  const { rowCount } = await pool.query('select from seen');
  expect(rowCount).toBe(1);
});

test('while the database is away the runner waits, says so, and goes on by itself', async () => {
  proxy.setMode('refuse');
  const positions = await fill([5], 1, 3);
  const runner = start([recorder()]);
  await waitFor('the runner waits', () => runner.status()[0]?.state === 'waiting-for-database');
  expect(runner.status()[0]?.error).toBeInstanceOf(Error);
  proxy.setMode('pass');
  expect(await runner.catchUp('seen', positions, 10_000)).toBe(true);
  await expectAllSeenOnce();
  await waitFor('it runs again', () => runner.status()[0]?.state === 'running');
});

test('stopping waits for the transaction under way, which then counts', async () => {
  let enter: () => void = () => undefined;
  let leave: () => void = () => undefined;
  const entered = new Promise<void>((resolve) => (enter = resolve));
  const left = new Promise<void>((resolve) => (leave = resolve));
  const slow = recorder('one', async () => {
    enter();
    await left;
  });
  await fill([1], 1, 2);
  const runner = start([slow]);
  await entered;
  let stopped = false;
  const stopping = runner.stop().then(() => (stopped = true));
  await pool.query('select 1');
  expect(stopped).toBe(false);
  leave();
  await stopping;
  expect(runner.status()[0]?.state).toBe('stopped');
  await expectAllSeenOnce();
});

test('a wake-up is quicker than the poll', async () => {
  const runner = start([recorder()], { pollMs: 60_000 });
  expect(await runner.catchUp('seen', await fill([1], 1, 1), 10_000)).toBe(true);
  await fill([2], 1, 1);
  runner.wake();
  await waitFor('the event is seen', async () => (await runner.lag()).get('seen') === 0, 5_000);
  await expectAllSeenOnce();
});
