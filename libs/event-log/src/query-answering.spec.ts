import type pg from 'pg';
import { openDatabase } from '#database/database.js';
import { workersOf } from '../../../bench/join-cluster.js';
import { LanesAway } from '../../../test/setup/lanes-away.js';
import { appendAll } from '../../../test/setup/log-steps.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { bringUpProjections } from './bring-up-projection.js';
import { ALL_LANES, LANE_GROUPS, laneGroups, SYSTEM_ACCOUNT } from './event-log.js';
import { PostgresEventLog } from './postgres-event-log.js';
import type { Projection } from './projection.js';
import { ProjectionRunner } from './projection-runner.js';
import { queryAnswering, queryAnsweringAtOnce } from './query-answering.js';

const GROUPS = laneGroups(LANE_GROUPS);
const [, SECOND = []] = GROUPS;

let database: TestDatabase;
let away: LanesAway | null;
/** Knows nothing of lanes that are away. */
let sound: pg.Pool;
let pool: pg.Pool;

beforeEach(async () => {
  database = await createTestDatabase();
  sound = openDatabase({ url: database.url, applicationName: 'query-answering.spec' });
  const client = await sound.connect();
  const isCluster = (await workersOf(client as unknown as pg.Client)).length > 0;
  client.release();
  away = isCluster ? null : await LanesAway.prepare(database);
  pool = openDatabase({
    url: away?.url ?? database.url,
    applicationName: 'query-answering.spec',
    statementTimeoutMs: 3_000,
  });
});

afterEach(async () => {
  await away?.end();
  await Promise.all([pool.end(), sound.end()]);
  await database.drop();
});

/** The lanes that answer, and those that do not. */
async function ask(query: typeof queryAnswering) {
  const { rows, away: missing } = await query<{ lane: number }>(pool, {
    text: `select l.lane from lane l`,
  });
  const lanes = rows.map(({ lane }) => lane).toSorted((a, b) => a - b);
  return { lanes, missing: missing.flat() };
}

const without = (lanes: readonly number[]) => ALL_LANES.filter((lane) => !lanes.includes(lane));

describe.each([queryAnswering, queryAnsweringAtOnce])('%p', (query) => {
  it('goes without the lanes that do not answer, and asks for them again', async () => {
    if (away === null) return;
    expect(await ask(query)).toEqual({ lanes: ALL_LANES, missing: [] });
    await away.set(SECOND);
    expect(await ask(query)).toEqual({ lanes: without(SECOND), missing: SECOND });
    expect(await ask(query)).toEqual({ lanes: without(SECOND), missing: SECOND });
    await away.set([]);
    await waitFor('all lanes answer', async () => (await ask(query)).missing.length === 0);
  });

  it('throws where no lane answers', async () => {
    if (away === null) return;
    await away.set(ALL_LANES);
    await expect(ask(query)).rejects.toMatchObject({ code: '08006' });
  });

  it('throws a fault of the statement', async () => {
    const broken = query(pool, { text: 'select none from lane' });
    await expect(broken).rejects.toMatchObject({ code: '42703' });
    expect((await ask(query)).missing).toEqual([]);
  });
});

it('goes without lanes of which nothing is heard', async () => {
  if (away === null) return;
  await away.set(SECOND, 'hang');
  const answers = await ask(queryAnsweringAtOnce);
  expect(answers).toEqual({ lanes: without(SECOND), missing: SECOND });
  await away.set([]);
  await waitFor('all lanes answer', async () => (await ask(queryAnswering)).missing.length === 0);
});

const COUNTED: Projection = {
  name: 'counted',
  version: 1,
  tables: [],
  async apply(events, client) {
    for (const { lane, position, type } of events) {
      await client.query('insert into counted values ($1, $2)', [lane, position]);
      // What every server holds is not written while one of them is away.
      const isEverywhere = lane === 0 && type === 'InvoiceNumbered';
      if (isEverywhere) await client.query(`select answers(null)`);
    }
  },
};

async function countedLanes(): Promise<readonly number[]> {
  const { rows } = await sound.query<{ lane: number }>('select lane from counted order by lane');
  return rows.map(({ lane }) => lane);
}

it('a projection is brought up and goes on in the lanes that answer, then in all', async () => {
  if (away === null) return;
  await sound.query('create table counted (lane int2, position int8)');
  await sound.query('grant all on counted to public');
  const log = new PostgresEventLog(sound, GROUPS);
  const lanes = GROUPS.map((group) => group.at(-1) ?? 0);
  const accounts = [
    new TestAccount(SYSTEM_ACCOUNT),
    ...lanes.map((lane) => TestAccount.inLane(lane)),
  ];
  const appendToEach = async (type: string): Promise<void> => {
    for (const account of accounts) await appendAll(log, [[account.next({ type })]]);
  };
  await appendToEach('CallMade');
  await away.set(SECOND);
  const answering = lanes.filter((lane) => !SECOND.includes(lane));
  await bringUpProjections(pool, [COUNTED]);
  expect(await countedLanes()).toEqual([0, ...answering]);

  const faults: unknown[] = [];
  const options = {
    pollMs: 10,
    retryMostMs: 500,
    onError: (_name: string, error: unknown) => faults.push(error),
  };
  const runner = new ProjectionRunner(pool, [COUNTED], options);
  runner.start();
  await appendToEach('InvoiceNumbered');
  const others = answering.flatMap((lane) => [lane, lane]);
  await waitFor('others are counted', async () => (await countedLanes()).length > others.length);
  expect(await countedLanes()).toEqual([0, ...others]);
  expect(faults).not.toEqual([]);
  expect(runner.status()).toMatchObject([{ state: 'running' }]);

  await away.set([]);
  const all = [0, ...lanes].flatMap((lane) => [lane, lane]);
  await waitFor('all are counted', async () => (await countedLanes()).length === all.length);
  expect(await countedLanes()).toEqual(all);
  await runner.stop();
});
