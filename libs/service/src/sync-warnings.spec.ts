import pg from 'pg';
import { workersAt } from '../../../test/setup/test-cluster.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { Metrics } from './metrics/metrics.js';
import { syncWarnings, watchSync } from './sync-warnings.js';

let database: TestDatabase;
let pool: pg.Pool;
/** Warnings of the other servers, where the tests run on a cluster. */
let ofWorkers: readonly string[];

beforeAll(async () => {
  database = await createTestDatabase();
  // The settings are of one session.
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  ofWorkers = (await workersAt(database.url)).map(
    ({ host, port }) =>
      `Commits at ${host}:${port} wait for no standby (synchronous_standby_names is empty): a failover would lose acknowledged calls.`,
  );
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('a server without names of standbys is warned of', async () => {
  expect(await syncWarnings(pool)).toEqual([
    'Commits wait for no standby (synchronous_standby_names is empty): a failover would lose acknowledged calls.',
    ...ofWorkers,
  ]);
});

test('servers whose commits wait for no standby are counted', async () => {
  const metrics = new Metrics();
  watchSync(metrics, pool);
  const unsafe = 1 + ofWorkers.length;
  expect(await metrics.text()).toContain(`\npopindex_servers_without_sync ${unsafe}\n`);
});

test.each(['off', 'local'])('synchronous_commit = %s is warned of', async (value) => {
  await pool.query(`set synchronous_commit to ${value}`);
  expect(await syncWarnings(pool)).toEqual([
    expect.stringContaining(`(synchronous_commit is ${value})`),
    ...ofWorkers,
  ]);
});

test('each server of a cluster is warned of by its own settings', async () => {
  if (ofWorkers.length > 0) return;
  await pool.query('set synchronous_commit to on');
  await pool.query(`
    create table pg_dist_partition as select 'event'::regclass as logicalrelid;
    create table pg_dist_node (nodeid int, nodename text, nodeport int, shouldhaveshards boolean);
    insert into pg_dist_node values
      (1, 'db1', 5432, true), (2, 'db2', 5432, true), (3, 'db3', 5432, true), (4, 'db4', 5432, true),
      (5, 'db0', 5432, false);
    create function run_command_on_workers(command text)
    returns table (nodename text, nodeport int, success boolean, result text) language sql as $$
      values ('db4', 5432, false, 'no connection'), ('db3', 5432, true, 'on '),
             ('db2', 5432, true, 'on ANY 1 (a, b)'), ('db1', 5432, true, 'local ANY 1 (a, b)'),
             ('db0', 5432, true, 'on ') $$`);
  const [, ...others] = await syncWarnings(pool);
  expect(others).toEqual([
    'Commits at db1:5432 wait for no standby (synchronous_commit is local): a failover would lose acknowledged calls.',
    'Commits at db3:5432 wait for no standby (synchronous_standby_names is empty): a failover would lose acknowledged calls.',
  ]);
});
