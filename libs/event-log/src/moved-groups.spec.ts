import pg from 'pg';
import { openDatabase, withTransaction } from '#database/database.js';
import { urlAt, workersOf } from '../../../bench/join-cluster.js';
import { groupOf, endOf } from '../../../test/setup/log-steps.js';
import { moveShardOf, splitShardOf } from '../../../test/setup/test-cluster.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { planAppend } from './append-plan.js';
import { appendStatement } from './append-statement.js';
import { LanesMovedError, queryByLane, readGroups } from './query-by-lane.js';
import { PostgresEventLog } from './postgres-event-log.js';
import { placedGroups } from './stored-groups.js';

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

test('lanes move between two appends, not within one: what was appended comes along', async () => {
  const [worker] = await workersOf(client);
  if (worker === undefined) return;
  const log = new PostgresEventLog(pool, database.groups);
  const places = await placedGroups(client, 1);
  const address = `${worker.host}:${worker.port}`;
  const { lanes } = places.find((place) => place.address === address) ?? { lanes: [] };
  const lane = lanes.at(-1) ?? 0;
  const append = async () => ({
    end: await endOf(log, lane),
    events: TestAccount.inLane(lane).many(2),
  });
  const straight = new pg.Client({ connectionString: urlAt(database.url, worker) });
  await straight.connect();
  try {
    await straight.query('begin');
    await straight.query(appendStatement(planAppend([await append()], log.groups)));
    let hasMoved = false;
    const moving = moveShardOf(client, lanes, 'block_writes').then(() => (hasMoved = true));
    await waitFor('the move waits for the append', async () => {
      const { rowCount } = await straight.query(
        `select from pg_locks where locktype = 'advisory' and not granted and database =
           (select oid from pg_database where datname = current_database())`,
      );
      return rowCount !== 0;
    });
    expect(hasMoved).toBe(false);
    await straight.query('commit');
    await moving;
    // The worker sends on what is not its own any more.
    const { rows } = await straight.query<{ written: number[] }>(
      appendStatement(planAppend([await append()], log.groups)),
    );
    expect(rows).toEqual([{ written: [lane] }]);
    expect(await log.append([await append()])).toHaveLength(1);
    expect((await log.read(lane, 0, 10)).map(({ position }) => position)).toEqual([
      1, 2, 3, 4, 5, 6,
    ]);
    expect(await log.batches(lane, 0, 10)).toHaveLength(3);
  } finally {
    await straight.end();
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
    queryByLane<{ lane: number }>(
      db,
      lanes,
      (lane) => lane,
      (own) => ({
        text: `select l.lane from unnest($1::int2[]) as wanted (lane)
                cross join lateral (
                  select lane from lane l where l.lane = wanted.lane limit 1) l`,
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
