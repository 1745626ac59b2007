import pg from 'pg';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { storedGroups } from '#event-log/stored-groups.js';
import { workersOf } from '../../../../bench/join-cluster.js';
import { endOf } from '../../../../test/setup/log-steps.js';
import { distributeTest } from '../../../../test/setup/test-cluster.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/setup/test-database.js';
import { TestAccount } from '../../../../test/setup/test-events.js';
import { wipeDatabase } from '../../../../test/setup/wipe-database.js';
import { openDatabase } from '../database.js';
import { createDataSource } from '../data-source.js';
import { migrate } from '../migrate.js';
import { ALL_MIGRATIONS } from '../migrations/all-migrations.js';

const NAMES = ALL_MIGRATIONS.map((Migration) => new Migration().name);
/** The first version that could be spread. */
const FIRST = 'AppendToGroup1763700000030';
const THREE_AGO = NAMES.at(-4) ?? '';

let older: TestDatabase;
let today: TestDatabase;
let owner: pg.Client;

beforeEach(async () => {
  [older, today] = [await createTestDatabase(), await createTestDatabase()];
  owner = new pg.Client({ connectionString: older.url });
  await owner.connect();
});

afterEach(async () => {
  await owner.end();
  await older.drop();
  await today.drop();
});

/** Makes the database again as a version whose last migration this was has left it. */
async function makeAgain(last: string): Promise<void> {
  await owner.query(`set citus.multi_shard_modify_mode = 'sequential'`);
  await wipeDatabase(owner);
  const source = await createDataSource(older.url);
  source.setOptions({ migrations: ALL_MIGRATIONS.slice(0, NAMES.indexOf(last) + 1) });
  await source.initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
}

/** How each table and each function that runs where its lane lies is spread. */
async function placements(client: pg.Client): Promise<readonly unknown[]> {
  const { rows } = await client.query(
    `select logicalrelid::text as name, partmethod::text, repmodel::text,
            colocationid = (select colocationid from pg_dist_partition
                             where logicalrelid = 'event'::regclass) as beside_log
       from pg_dist_partition
      union all
     select objid::regprocedure::text, distribution_argument_index::text, null, null
       from pg_dist_object
      where classid = 'pg_proc'::regclass and distribution_argument_index is not null
      order by 1`,
  );
  return rows;
}

async function placementsToday(): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: today.url });
  await client.connect();
  try {
    return await placements(client);
  } finally {
    await client.end();
  }
}

async function appendToEachLane(): Promise<void> {
  const pool = openDatabase({ url: older.url, applicationName: 'older-database.spec' });
  const log = new PostgresEventLog(pool, await storedGroups(pool));
  for (const group of log.groups) {
    const lanes = group.filter((lane) => lane > 0);
    const appends = await Promise.all(
      lanes.map(async (lane) => ({
        end: await endOf(log, lane),
        events: TestAccount.inLane(lane).many(2),
      })),
    );
    expect(await log.append(appends)).toHaveLength(lanes.length);
  }
  await pool.end();
}

test.each([
  ['the first version that could be', FIRST],
  ['three migrations ago', THREE_AGO],
])(
  'a database that was spread by %s migrates, and everything new in it is spread',
  async (_when, last) => {
    if ((await workersOf(owner)).length === 0) return;
    await makeAgain(last);
    await distributeTest(older.url);
    await owner.query(`insert into checkpoint (projection, position, lane) values ('p', 7, 3)`);
    const before = await placements(owner);
    expect(before).not.toEqual(await placementsToday());

    expect(await migrate(older.url)).toEqual(NAMES.slice(NAMES.indexOf(last) + 1));
    expect(await placements(owner)).toEqual(await placementsToday());
    const { rows } = await owner.query(`select position::int, lane from checkpoint`);
    expect(rows).toEqual([{ position: 7, lane: 3 }]);
    await appendToEachLane();
    expect(await migrate(older.url)).toEqual([]);
  },
  120_000,
);
