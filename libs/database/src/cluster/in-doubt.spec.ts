import net from 'node:net';
import pg from 'pg';
import type { ServerAddress } from '../../../../bench/join-cluster.js';
import { workersAt } from '../../../../test/setup/test-cluster.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/setup/test-database.js';
import { waitFor } from '../../../../test/setup/wait-for.js';
import { clusterStatus } from './cluster-status.js';

let database: TestDatabase;
let client: pg.Client;
let workers: readonly ServerAddress[] = [];
const sockets = new Set<net.Socket>();
let link: net.Server | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
  workers = await workersAt(database.url);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  sockets.forEach((socket) => socket.destroy());
  link?.close();
  await client.end();
  await database.drop();
});

/** Between the cluster and one of its servers: lets all pass but the order to commit. */
async function loseCommits({ host, port }: ServerAddress): Promise<{ heal: () => void }> {
  let isLost = true;
  const server = net.createServer((one) => {
    const other = net.connect(port, host);
    for (const socket of [one, other]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    one.on('close', () => other.destroy());
    other.on('close', () => one.destroy());
    other.pipe(one);
    one.on('data', (data: Buffer) => {
      if (isLost && data.includes('COMMIT PREPARED')) one.resetAndDestroy();
      else other.write(data);
    });
  });
  link = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as net.AddressInfo;
  await client.query(
    `select citus_update_node(nodeid, '127.0.0.1', $2) from pg_dist_node where nodeport = $1`,
    [port, own],
  );
  return { heal: () => (isLost = false) };
}

async function inDoubt(): Promise<number> {
  const { nodes } = await clusterStatus(client);
  return nodes.reduce((sum, node) => sum + (node.in_doubt ?? 0), 0);
}

it('a server that is lost between prepare and commit leaves it in doubt, and commits it later', async () => {
  const [, lost] = workers;
  if (lost === undefined) return;
  const { heal } = await loseCommits(lost);
  expect(await inDoubt()).toBe(0);
  await client.query('begin');
  // Over all shards: each server prepares it.
  await client.query('update lane set position = position + 1');
  await client.query('commit');
  const positions = async (): Promise<readonly number[]> => {
    const { rows } = await client.query<{ position: number }>(
      'select distinct position::int as position from lane order by position',
    );
    return rows.map(({ position }) => position);
  };
  expect(await positions()).toEqual([0, 1]);
  await waitFor('it is in doubt', async () => (await inDoubt()) > 0, 10_000);

  heal();
  // As the cluster does by itself every minute.
  await waitFor(
    'it is recovered',
    async () => {
      await client.query('select recover_prepared_transactions()');
      return (await inDoubt()) === 0;
    },
    20_000,
  );
  expect(await positions()).toEqual([1]);
}, 60_000);
