import pg from 'pg';
import { urlAt, urlNaming } from '../../../../bench/join-cluster.js';
import { workersAt } from '../../../../test/setup/test-cluster.js';
import { TcpProxy } from '../../../../test/setup/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/setup/test-database.js';
import { waitFor } from '../../../../test/setup/wait-for.js';
import { openDatabase } from '../database.js';
import { faultOf } from '../errors.js';
import { migrate } from '../migrate.js';
import { ServerChoice } from '../server-choice.js';
import { Timelines } from '../timelines.js';
import { isAtWorker, requireCoordinator } from './coordinator.js';

let database: TestDatabase;
/** Of the workers; none on a plain PostgreSQL. */
let workers: readonly string[];
/** Before the coordinator. */
let link: TcpProxy;
let urlOfAll: string;

beforeAll(async () => {
  database = await createTestDatabase();
  workers = (await workersAt(database.url)).map((worker) => urlAt(database.url, worker));
});

beforeEach(async () => {
  link = await TcpProxy.start(database.url);
  const hosts = [...workers, link.url].map((url) => new URL(url).host);
  urlOfAll = urlNaming(database.url, hosts);
});

afterEach(() => link.stop());

afterAll(() => database.drop());

it.each([
  ['is away', 'refuse'],
  ['says nothing', 'silence'],
] as const)(
  'a worker stands in for the coordinator while it %s, and no longer',
  async (_how, mode) => {
    if (workers.length === 0) return;
    const pool = openDatabase({
      url: urlOfAll,
      applicationName: 'stand-in.spec',
      statementTimeoutMs: 500,
    });
    const isThrough = (atWorker: boolean) => async () =>
      (await isAtWorker(pool).catch(() => null)) === atWorker;
    try {
      expect(await isAtWorker(pool)).toBe(false);
      link.setMode(mode);
      await waitFor('a worker stands in', isThrough(true));
      // Lanes and what every server holds are there.
      await pool.query('select from lane where lane = 3');
      await pool.query('select from text_key');
      for (const work of [requireCoordinator(pool), pool.query('select from operator')]) {
        const error: unknown = await work.then(
          () => null,
          (reason: unknown) => reason,
        );
        expect([faultOf(error), String(error)]).toEqual([
          'node-lost',
          expect.stringContaining('The coordinator of the cluster is away'),
        ]);
      }
      // A start finds nothing to migrate, and changes nothing.
      expect(await migrate(urlOfAll)).toEqual([]);
      link.setMode('pass');
      await waitFor('it is back', isThrough(false));
      await requireCoordinator(pool);
    } finally {
      await pool.end();
    }
  },
  60_000,
);

const PORT_OF_COORDINATOR = 'select nodeport as port from pg_dist_node where groupid = 0';

/** Lets one worker know another port of it, and no other server. */
async function moveCoordinator(client: pg.Client, port: number): Promise<void> {
  await client.query('update pg_dist_node set nodeport = $1 where groupid = 0', [port]);
}

it('workers that disagree about the servers are not used: one of them may be stale', async () => {
  const [worker = '', other = ''] = workers;
  if (worker === '') return;
  const client = new pg.Client({ connectionString: worker });
  await client.connect();
  const [own] = (await client.query<{ port: number }>(PORT_OF_COORDINATOR)).rows;
  const choose = (urls: readonly string[]) =>
    new ServerChoice({ urls, target: 'read-write' }, new Timelines()).choose();
  try {
    expect(await choose([worker, other])).toBe(worker);
    await moveCoordinator(client, 1);
    await expect(choose([worker, other])).rejects.toThrow('disagree');
    expect(await choose([worker, other, link.url])).toBe(link.url);
  } finally {
    await moveCoordinator(client, own?.port ?? 0);
    await client.end();
  }
});
