import pg from 'pg';
import { workersOf, type ServerAddress } from '../../../../bench/join-cluster.js';
import { TcpProxy } from '../../../../test/setup/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/setup/test-database.js';
import { emptyNode } from '../../../../test/setup/test-cluster.js';
import { clusterStatus, NoClusterError } from './cluster-status.js';
import { migrate } from '../migrate.js';
import { distribute, isDistributed } from './distribute.js';
import { rebalance, type RebalanceProgress } from '../rebalance.js';

const LANES = Array.from({ length: 65 }, (_, lane) => lane);

let database: TestDatabase;
let client: pg.Client;
let workers: readonly ServerAddress[];

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

it('the servers are shown before any table is made', async () => {
  if (!isCluster()) return;
  await client.query('set search_path to none_has_this_name');
  const { distributed, nodes } = await clusterStatus(client).finally(() =>
    client.query('reset search_path'),
  );
  expect(distributed).toBe(false);
  expect(nodes.map(({ shards, lanes }) => ({ shards, lanes }))).toEqual(
    workers.map(() => ({ shards: 0, lanes: [] })),
  );
});

it('a table that a later migration makes lies beside the log; a second time moves nothing', async () => {
  if (!isCluster()) return;
  await client.query('create table later (lane int2, id uuid, primary key (lane, id))');
  await client.query('create table alone (id uuid primary key)');
  expect(await distribute(client)).toEqual([{ name: 'later', placement: 'by lane' }]);
  expect(await distribute(client)).toEqual([]);
});

describe('a database that is in use already', () => {
  let older: TestDatabase;
  let owner: pg.Client;

  beforeEach(async () => {
    older = await createTestDatabase();
    owner = new pg.Client({ connectionString: older.url });
    await owner.connect();
    await owner.query(`set citus.multi_shard_modify_mode = 'sequential'`);
  });

  afterEach(async () => {
    await owner.end();
    await older.drop();
  });

  /** Rows that lie on the coordinator itself, whatever a statement about the table reads. */
  async function localRows(table: string): Promise<number> {
    const { rows } = await owner.query<{ pages: string }>(
      `select pg_relation_size('${table}')::text as pages`,
    );
    return Number(rows[0]?.pages);
  }

  it('keeps its rows, each once, and none where it was', async () => {
    if (!isCluster()) return;
    const spread = await owner.query<{ name: string }>(
      'select logicalrelid::text as name from pg_dist_partition',
    );
    for (const { name } of spread.rows) {
      await owner.query('select undistribute_table($1)', [name]);
    }
    await owner.query('update lane set position = lane * 10');
    await owner.query(`insert into checkpoint (projection, position, lane) values ('p', 1, 3)`);
    expect(await isDistributed(owner)).toBe(false);

    const moved = await distribute(owner, { shards: 8 });
    expect(moved[0]).toEqual({ name: 'event', placement: 'by lane' });
    const { rows } = await owner.query<{ lanes: number; sum: number }>(
      'select count(*)::int as lanes, sum(position)::int as sum from lane',
    );
    expect(rows).toEqual([{ lanes: 65, sum: (64 * 65 * 10) / 2 }]);
    expect(new Set(moved.map(({ name }) => name))).toEqual(
      new Set(spread.rows.map(({ name }) => name)),
    );
    for (const table of ['lane', 'checkpoint']) expect(await localRows(table)).toBe(0);
  });

  it('spreads API keys by lane, which lay on every server', async () => {
    if (!isCluster()) return;
    const key = `alter table ledger_api_key drop constraint ledger_api_key_pkey, add primary key`;
    await owner.query(`select undistribute_table('ledger_api_key')`);
    await owner.query(`${key} (hash)`);
    await owner.query(`select create_reference_table('ledger_api_key')`);
    await owner.query(`insert into ledger_api_key values ('\\x01', 3, gen_random_uuid(), 1)`);
    await owner.query(`delete from migration where name = 'KeysByLane1763700000042'`);

    expect(await migrate(older.url)).toEqual(['KeysByLane1763700000042']);
    const { rows } = await owner.query<{ method: string; keys: number }>(
      `select partmethod as method, (select count(*)::int from ledger_api_key) as keys
         from pg_dist_partition where logicalrelid = 'ledger_api_key'::regclass`,
    );
    expect(rows).toEqual([{ method: 'h', keys: 1 }]);
  });

  it('spreads a table that a migration made whose process ended before it did', async () => {
    if (!isCluster()) return;
    await owner.query('create table later (lane int2, id uuid, primary key (lane, id))');
    expect(await migrate(older.url)).toEqual([]);
    expect(await distribute(owner)).toEqual([]);
    const { rowCount } = await owner.query(
      `select from pg_dist_partition where logicalrelid = 'later'::regclass`,
    );
    expect(rowCount).toBe(1);
  });
});

it('shards move while appends go on, none of which is refused', async () => {
  if (!isCluster()) return;
  const [full] = workers;
  if (full === undefined) throw new Error('There are two workers.');
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
  await emptyNode(client, full);
  const before = appended;
  const progress: number[] = [];
  const onProgress = ({ done }: RebalanceProgress) => void progress.push(done);
  const { outcome, moves } = await rebalance(client, { onProgress });
  stopped = true;
  await appending;
  await writer.end();
  expect(outcome).toBe('moved');
  expect(moves).toBeGreaterThan(0);
  expect(progress.at(-1)).toBe(moves);
  expect(appended).toBeGreaterThan(before);
  expect(await rebalance(client)).toMatchObject({ outcome: 'balanced' });
}, 300_000);

it('a worker that cannot be reached for a moment stops no rebalancing: it says what failed, and goes on', async () => {
  const [empty] = workers;
  if (empty === undefined) return;
  await emptyNode(client, empty);
  const link = await TcpProxy.start(`tcp://${empty.host}:${empty.port}`);
  const toPort = (from: number, to: number) =>
    client.query(
      'select citus_update_node(nodeid, nodename, $2) from pg_dist_node where nodeport = $1',
      [from, to],
    );
  const linked = Number(new URL(link.url).port);
  await toPort(empty.port, linked);
  try {
    link.setMode('refuse');
    const said: string[] = [];
    const onFault = (what: string): void => {
      said.push(what);
      link.setMode('pass');
    };
    const { outcome, moves } = await rebalance(client, { onFault });
    expect([outcome, moves > 0]).toEqual(['moved', true]);
    expect(said.join()).toContain(String(linked));
  } finally {
    link.setMode('pass');
    await toPort(linked, empty.port);
    await link.stop();
  }
}, 300_000);
