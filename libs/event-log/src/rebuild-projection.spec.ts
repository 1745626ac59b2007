import type pg from 'pg';
import { distribute, isDistributed } from '#database/cluster/distribute.js';
import { openDatabase, withClient, withTransaction } from '#database/database.js';
import { appendAll, appendAgainst } from '../../../test/setup/log-steps.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { bringUpProjections, rebuildToEnd } from './bring-up-projection.js';
import { SYSTEM_ACCOUNT } from './event-log.js';
import { PostgresEventLog } from './postgres-event-log.js';
import type { Projection } from './projection.js';
import { ProjectionRunner } from './projection-runner.js';
import { storedProjections } from './projection-state.js';
import { rebuildProjections, type RebuildProgress } from './rebuild-projection.js';

let database: TestDatabase;
let pool: pg.Pool;
let log: PostgresEventLog;
let runners: ProjectionRunner[];

beforeEach(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'rebuild.spec', connectionsMax: 20 });
  log = new PostgresEventLog(pool, database.groups);
  runners = [];
  await pool.query(`
    create table tally (lane smallint, account_id uuid, events int not null, note text,
      primary key (lane, account_id));
    create index tally_by_count on tally (events desc)`);
  if (await isDistributed(pool)) await withClient(pool, (client) => distribute(client));
});

afterEach(async () => {
  await Promise.all(runners.map((runner) => runner.stop()));
  await pool.end();
  await database.drop();
});

/** Counts the events of each account; a version writes its number beside the count. */
function tally(version = 1, before: () => Promise<void> = async () => undefined): Projection {
  return {
    name: 'tally',
    version,
    tables: ['tally'],
    async apply(events, client) {
      await before();
      await client.query(
        `insert into tally as kept (lane, account_id, events, note)
         select lane, account_id, count(*), $3 from unnest($1::int2[], $2::uuid[]) as e (lane, account_id)
          group by lane, account_id
         on conflict (lane, account_id) do update set events = kept.events + excluded.events`,
        [events.map(({ lane }) => lane), events.map(({ accountId }) => accountId), `v${version}`],
      );
    },
  };
}

function run(projection: Projection): ProjectionRunner {
  const runner = new ProjectionRunner(pool, [projection], { pollMs: 10, eventsMax: 50 });
  runners.push(runner);
  runner.start();
  return runner;
}

async function fill(lanes: readonly number[], count: number): Promise<Map<number, number>> {
  await appendAll(
    log,
    lanes.map((lane) => TestAccount.inLane(lane).many(count)),
  );
  return new Map((await log.ends()).map(({ lane, position }) => [lane, position]));
}

/** The tallies that the log asks for, and those that are there. */
async function expectRight(note: string): Promise<void> {
  const { rows } = await pool.query(
    `select lane::int, account_id, count(*)::int as events, $1 as note from event
      group by lane, account_id order by lane, account_id`,
    [note],
  );
  const { rows: found } = await pool.query(
    'select lane, account_id, events, note from tally order by lane, account_id',
  );
  expect(found).toEqual(rows);
}

async function schemas(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname like 'rebuild%'`,
  );
  return rows.map(({ name }) => name);
}

test('rows that are wrong are right after a rebuild, and nothing else is left of it', async () => {
  const runner = run(tally());
  await runner.catchUp('tally', await fill([1, 2, 64], 30), 10_000);
  await pool.query('update tally set events = 999');
  const progress: RebuildProgress[] = [];
  const options = { eventsMax: 10, onProgress: (each: RebuildProgress) => progress.push(each) };
  expect(await rebuildToEnd(pool, tally(), options)).toMatchObject({
    outcome: 'rebuilt',
    events: 90,
  });
  await expectRight('v1');
  expect(await schemas()).toEqual([]);
  expect(progress.at(-1)).toMatchObject({ stage: 'switching', events: 90, total: 90 });
  expect(new Set(progress.map(({ events }) => events)).size).toBeGreaterThan(8);
  await runner.catchUp('tally', await fill([2, 3], 5), 10_000);
  await expectRight('v1');
});

test('the new tables have the indexes of the old ones, under their names', async () => {
  const indexes = async () => {
    const { rows } = await pool.query(
      `select schemaname, indexname, indexdef from pg_indexes where tablename = 'tally' order by 2`,
    );
    return rows;
  };
  const before = await indexes();
  await fill([1], 3);
  await rebuildToEnd(pool, tally());
  expect(await indexes()).toEqual(before);
});

test('while a rebuild runs, events are appended and projected and none is lost or doubled', async () => {
  const runner = run(tally());
  await fill([1, 2], 200);
  let writing = true;
  const writer = (async () => {
    while (writing)
      await appendAgainst(log, [TestAccount.inLane(1).many(3), TestAccount.inLane(9).many(2)]);
  })();
  for (let round = 0; round < 3; round += 1) {
    expect((await rebuildToEnd(pool, tally(), { eventsMax: 50 })).outcome).toBe('rebuilt');
  }
  writing = false;
  await writer;
  await runner.catchUp('tally', await fill([5], 1), 10_000);
  await expectRight('v1');
  expect(runner.status()[0]).toMatchObject({ state: 'running', error: undefined });
});

test('a snapshot sees rows and checkpoint of a lane that belong together, also across the switch', async () => {
  run(tally());
  await fill([1, 2, 3], 100);
  let rebuilding = true;
  let snapshots = 0;
  const reader = async (): Promise<void> => {
    while (rebuilding) {
      await withTransaction(
        pool,
        async (client) => {
          const { rows } = await client.query<{ at: number }>(
            `select coalesce(sum(position), 0)::int8 as at from checkpoint
              where projection = 'tally' and lane = 2`,
          );
          const sum = await client.query<{ at: number }>(
            'select coalesce(sum(events), 0)::int8 as at from tally where lane = 2',
          );
          expect(sum.rows[0]?.at).toBe(rows[0]?.at);
          snapshots += 1;
        },
        'repeatable read',
      );
    }
  };
  const readers = [reader(), reader(), reader()];
  const writer = (async () => {
    while (rebuilding) await appendAgainst(log, [TestAccount.inLane(2).many(4)]);
  })();
  for (let round = 0; round < 3; round += 1) await rebuildToEnd(pool, tally(), { eventsMax: 40 });
  rebuilding = false;
  await Promise.all([...readers, writer]);
  expect(snapshots).toBeGreaterThan(10);
});

test('a switch waits for a reader whose snapshot is older than the new rows', async () => {
  await bringUpProjections(pool, [tally()]);
  await fill([1], 10);
  const reader = await pool.connect();
  await reader.query('begin isolation level repeatable read');
  await reader.query('select from lane');
  const progress: string[] = [];
  const onProgress = ({ stage }: RebuildProgress): unknown => progress.push(stage);
  const rebuild = rebuildToEnd(pool, tally(), { onProgress });
  await waitFor('the switch', () => progress.includes('switching'));
  const { rows } = await reader.query('select count(*)::int as count from tally');
  expect(rows).toEqual([{ count: 0 }]);
  expect(progress).not.toContain('catching-up');
  await reader.query('commit');
  reader.release();
  expect((await rebuild).outcome).toBe('rebuilt');
  await expectRight('v1');
});

test('two rebuilds of one projection do not meet; what a killed one left is cleared away', async () => {
  await fill([1, 2], 20);
  await pool.query('create schema rebuild_tally; create table rebuild_tally.tally (lane int)');
  let other: Promise<unknown> | undefined;
  const meet = async (): Promise<void> => {
    other ??= rebuildProjections(pool, [tally()]);
    expect(await other).toEqual([{ outcome: 'busy' }]);
  };
  await bringUpProjections(pool, [tally()]);
  expect(await rebuildToEnd(pool, tally(1, meet))).toMatchObject({ outcome: 'rebuilt' });
  expect(other).toBeDefined();
  await expectRight('v1');
  expect(await schemas()).toEqual([]);
});

test('a rebuild that fails or is ended leaves what serves as it was', async () => {
  await fill([1], 20);
  await appendAll(log, [new TestAccount(SYSTEM_ACCOUNT).many(1)]);
  await bringUpProjections(pool, [tally()]);
  const broken = tally(1, () => Promise.reject(new Error('cannot be')));
  await expect(rebuildToEnd(pool, broken)).rejects.toThrow('cannot be');
  const ended = AbortSignal.abort();
  await expect(rebuildToEnd(pool, tally(), { signal: ended })).rejects.toThrow(/abort/i);
  await expectRight('v1');
  expect(await schemas()).toEqual([]);
});

test('rows of an older version are rebuilt when they are brought up, and the old program stops', async () => {
  const positions = await fill([1, 2], 30);
  const old = run(tally(1));
  await old.catchUp('tally', positions, 10_000);
  const waiting = run(tally(2));
  await waitFor('the new version waits', () => waiting.status()[0]?.state === 'outdated');
  await bringUpProjections(pool, [tally(2)]);
  await expectRight('v2');
  expect(await storedProjections(pool, [tally(2)])).toEqual([
    { name: 'tally', version: 2, rowsVersion: 2, behind: 0 },
  ]);
  await waiting.catchUp('tally', await fill([3], 4), 10_000);
  await expectRight('v2');
  // It finds out at the first events that the new program has not taken before it looks.
  await waitFor('the old version fails', async () => {
    await fill([3], 1);
    return old.status()[0]?.state === 'failed';
  });
  await expect(bringUpProjections(pool, [tally(1)])).rejects.toThrow(
    'a newer program has made them',
  );
});

test('an empty projection is brought up to the end of the log', async () => {
  await fill([1, 7, 64], 25);
  await bringUpProjections(pool, [tally()], { eventsMax: 10 });
  await expectRight('v1');
});
