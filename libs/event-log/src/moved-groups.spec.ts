import pg from 'pg';
import { openDatabase, withTransaction } from '#database/database.js';
import { groupOf, endOf } from '../../../test/setup/log-steps.js';
import { splitShardOf, workersOf } from '../../../test/setup/test-cluster.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { LanesMovedError, queryByGroup, readGroups } from './query-by-group.js';
import { PostgresEventLog } from './postgres-event-log.js';

let database: TestDatabase;
let pool: pg.Pool;
let client: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'moved-groups.spec' });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await pool.end();
  await database.drop();
});

/** Without a cluster no lanes move apart. */
async function isCluster(): Promise<boolean> {
  return (await workersOf(client)).length > 0;
}

test('an append to lanes that have moved apart writes nothing, and the log has other groups', async () => {
  if (!(await isCluster())) return;
  const log = new PostgresEventLog(pool, database.groups);
  const lanes = groupOf(log, 4);
  const group = log.groups.find((all) => all.includes(lanes[0] ?? 0)) ?? [];
  await splitShardOf(client, group);

  const appends = await Promise.all(
    group.map(async (lane) => ({
      end: await endOf(log, lane),
      events: TestAccount.inLane(lane).many(1),
    })),
  );
  expect(await log.append(appends)).toEqual([]);
  expect((await log.ends(group)).map(({ position }) => position)).toEqual(group.map(() => 0));

  const parts = log.groups.filter((all) => all.some((lane) => group.includes(lane)));
  expect(parts).toHaveLength(2);
  expect(parts.flat().toSorted((a, b) => a - b)).toEqual(group);
  for (const part of parts) {
    const own = appends.filter(({ end }) => part.includes(end.lane));
    expect(await log.append(own)).toHaveLength(part.length);
  }
}, 60_000);

test('a log of some lanes keeps to them', async () => {
  if (!(await isCluster())) return;
  const [first = [], second = []] = database.groups.filter((lanes) => !lanes.includes(0));
  const log = new PostgresEventLog(pool, [first]);
  await splitShardOf(client, first);
  const appends = await Promise.all(
    first.map(async (lane) => ({
      end: await endOf(log, lane),
      events: TestAccount.inLane(lane).many(1),
    })),
  );
  expect(await log.append(appends)).toEqual([]);
  expect(log.groups.flat().toSorted((a, b) => a - b)).toEqual(first);
  expect(log.groups.flat()).not.toEqual(expect.arrayContaining([...second]));
}, 60_000);

test('what is read by group is read again by the new groups, in a transaction by its next one', async () => {
  if (!(await isCluster())) return;
  const ask = (db: pg.Pool | pg.PoolClient, lanes: readonly number[]) =>
    queryByGroup<{ lane: number }>(
      db,
      lanes,
      (lane) => lane,
      (own, inGroup) => ({
        text: `select l.lane from unnest($1::int2[]) as wanted (lane)
                cross join lateral (
                  select lane from lane l where l.lane = wanted.lane and ${inGroup('l')} limit 1) l`,
        values: [own],
      }),
    );
  const groups = await readGroups(pool);
  const [first = [], second = []] = groups.filter((lanes) => lanes.length > 4);
  await splitShardOf(client, first);
  expect(await ask(pool, first)).toHaveLength(first.length);

  await withTransaction(pool, (own) => ask(own, second));
  await splitShardOf(client, second);
  await expect(withTransaction(pool, (own) => ask(own, second))).rejects.toThrow(LanesMovedError);
  expect(await withTransaction(pool, (own) => ask(own, second))).toHaveLength(second.length);
}, 60_000);
