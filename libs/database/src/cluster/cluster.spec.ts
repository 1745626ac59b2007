import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../test/setup/test-database.js';
import { workersOf, type ClusterNode } from '../../../../test/setup/test-cluster.js';
import { clusterStatus, NoClusterError } from './cluster-status.js';
import { distribute, isDistributed } from './distribute.js';
import { rebalance } from './rebalance.js';

const LANES = Array.from({ length: 65 }, (_, lane) => lane);

let database: TestDatabase;
let client: pg.Client;
let workers: readonly ClusterNode[];

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  workers = await workersOf(client);
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

/** The same spec runs on a plain PostgreSQL and on a cluster: each shows its half of the rule. */
const isCluster = (): boolean => workers.length > 0;

it('a database is one of a cluster, or says which step is missing', async () => {
  const asked = clusterStatus(client);
  if (!isCluster()) {
    await expect(asked).rejects.toThrow(NoClusterError);
    await expect(clusterStatus(client)).rejects.toThrow('create extension citus');
    expect(await isDistributed(client)).toBe(false);
    return;
  }
  const { distributed, nodes } = await asked;
  expect(distributed).toBe(true);
  expect(nodes.filter(({ shards }) => shards > 0)).toHaveLength(workers.length);
  const lanes = nodes.flatMap((node) => node.lanes);
  expect(lanes.toSorted((a, b) => a - b)).toEqual(LANES);
});

it('a table that a later migration makes lies beside the log; a second time moves nothing', async () => {
  if (!isCluster()) return;
  await client.query('create table later (lane int2, id uuid, primary key (lane, id))');
  await client.query('create table alone (id uuid primary key)');
  expect(await distribute(client)).toEqual([{ name: 'later', placement: 'by lane' }]);
  expect(await distribute(client)).toEqual([]);
});

it('shards move while appends go on, none of which is refused', async () => {
  if (!isCluster()) return;
  const [from, to] = workers;
  if (from === undefined || to === undefined) throw new Error('There are two workers.');
  let [appended, stopped] = [0, false];
  const writer = new pg.Client({ connectionString: database.url });
  await writer.connect();
  const appending = (async () => {
    while (!stopped) {
      await writer.query('update lane set position = position + 1 where lane = $1', [
        appended % 65,
      ]);
      appended += 1;
    }
  })();
  await client.query(`select citus_drain_node($1, $2, shard_transfer_mode => 'block_writes')`, [
    from.host,
    from.port,
  ]);
  await client.query('select citus_set_node_property($1, $2, $3, true)', [
    from.host,
    from.port,
    'shouldhaveshards',
  ]);
  const before = appended;
  const progress: number[] = [];
  const { outcome, moves } = await rebalance(client, ({ done }) => progress.push(done));
  stopped = true;
  await appending;
  await writer.end();
  expect(outcome).toBe('moved');
  expect(moves).toBeGreaterThan(0);
  expect(progress.at(-1)).toBe(moves);
  expect(appended).toBeGreaterThan(before);
  expect(await rebalance(client, () => undefined)).toMatchObject({ outcome: 'balanced' });
}, 300_000);
