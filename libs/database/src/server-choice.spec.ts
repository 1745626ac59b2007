import { query, urlAt } from '../../../bench/join-cluster.js';
import { TcpProxy } from '../../../test/setup/tcp-proxy.js';
import { workersAt } from '../../../test/setup/test-cluster.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { ServerChoice } from './server-choice.js';
import { Timelines } from './timelines.js';

const databases: TestDatabase[] = [];
let coordinatorUrl: string;
/** Before a worker. */
let link: TcpProxy;
let choice: ServerChoice;

beforeEach(async () => {
  const { url } = await made();
  const [worker] = await workersAt(url);
  coordinatorUrl = worker === undefined ? await placed(url, 0) : url;
  const workerUrl = worker === undefined ? await placed((await made()).url, 1) : urlAt(url, worker);
  link = await TcpProxy.start(workerUrl);
  const servers = { urls: [link.url, coordinatorUrl], target: 'read-write' } as const;
  choice = new ServerChoice(servers, new Timelines());
});

afterEach(async () => {
  await link.stop();
  for (const database of databases.splice(0)) await database.drop();
});

async function made(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  databases.push(database);
  return database;
}

/** Says of a database of a plain PostgreSQL what one of a cluster says of its place there. */
async function placed(url: string, groupid: number): Promise<string> {
  await query(url, `create table pg_dist_local_group as select ${groupid} as groupid`);
  await query(
    url,
    `create table pg_dist_node as select 0 as groupid, 'primary' as noderole,
            'localhost' as nodename, 5432 as nodeport`,
  );
  return url;
}

it('a worker that falls silent is not waited for while the coordinator answers', async () => {
  expect(await choice.choose()).toBe(coordinatorUrl);
  link.setMode('silence');
  choice.lose();
  expect(await choice.choose()).toBe(coordinatorUrl);
  expect(link.isUsed).toBe(true);
  await waitFor('it was given up', () => !link.isUsed);
});
