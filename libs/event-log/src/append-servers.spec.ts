import pg from 'pg';
import { openDatabase, type DatabaseOptions } from '#database/database.js';
import { query, urlAt, urlNaming } from '../../../bench/join-cluster.js';
import { appendAll, endOf } from '../../../test/setup/log-steps.js';
import { workersAt } from '../../../test/setup/test-cluster.js';
import { TcpProxy } from '../../../test/setup/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { AppendServers } from './append-servers.js';
import { AppendUncertainError } from './event-log.js';
import { PostgresEventLog } from './postgres-event-log.js';
import { placedGroups, type PlacedGroup } from './stored-groups.js';

const NAME = 'append-servers.spec';
const OURS = `from pg_stat_activity where application_name = '${NAME}'`;

const TIMEOUT_MS = 3_000;
/** After this an append to a silent server was given up, and sent through the coordinator. */
const GIVEN_UP_MS = 2 * TIMEOUT_MS + 4_000;

/** A worker, and a lane that it holds. */
interface Worker {
  readonly url: string;
  readonly lane: number;
}

let database: TestDatabase;
/** Before the coordinator. */
let link: TcpProxy;
/** None on a plain PostgreSQL. */
let workers: readonly Worker[];
/** Before a worker, where it was asked for. */
let ownLink: TcpProxy | null;
let servers: AppendServers;
let log: PostgresEventLog;
let close: (() => Promise<void>) | null;

beforeEach(async () => {
  close = null;
  ownLink = null;
  database = await createTestDatabase();
  link = await TcpProxy.start(database.url);
  const nodes = await workersAt(database.url);
  const groups = await placesOf(database.url);
  workers = nodes.map((node) => ({
    url: urlAt(database.url, node),
    lane: groups.find(({ address }) => address === `${node.host}:${node.port}`)?.lanes[1] ?? 0,
  }));
});

afterEach(async () => {
  await close?.();
  await ownLink?.stop();
  await link.stop();
  await database.drop();
});

async function placesOf(url: string): Promise<readonly PlacedGroup[]> {
  const pool = openDatabase({ url, applicationName: 'places' });
  try {
    return await placedGroups(pool, 1);
  } finally {
    await pool.end();
  }
}

/** A log whose connection string names the coordinator, by way of the link, and these servers. */
function openNaming(urls: readonly string[]): void {
  const hosts = [link.url, ...urls].map((url) => new URL(url).host);
  const url = urlNaming(database.url, hosts);
  const options: DatabaseOptions = { url, applicationName: NAME, statementTimeoutMs: TIMEOUT_MS };
  const pool = openDatabase(options);
  servers = AppendServers.start(pool, options);
  log = new PostgresEventLog(pool, database.groups, servers);
  close = async () => {
    await servers.stop();
    await pool.end();
  };
}

async function appendTo({ lane }: Pick<Worker, 'lane'>): Promise<void> {
  await appendAll(log, [TestAccount.inLane(lane).many(1)]);
}

/** How many of our connections to a server have sent an append last. */
async function appending({ url }: Pick<Worker, 'url'>): Promise<number> {
  return (await query(url, `select ${OURS} and query like '%append_lanes%'`)).length;
}

async function endSessions({ url }: Pick<Worker, 'url'>): Promise<void> {
  await query(url, `select pg_terminate_backend(pid) ${OURS}`);
}

async function untilStraight(worker: Worker): Promise<void> {
  await waitFor('an append goes straight to the worker', async () => {
    await appendTo(worker);
    return (await appending(worker)) > 0;
  });
}

/** Gives the worker an address of which the connections can be taken away. */
async function linkTo({ url }: Worker): Promise<TcpProxy> {
  ownLink = await TcpProxy.start(url);
  await move(url, ownLink.url);
  return ownLink;
}

/** Changes the address of a worker. */
async function move(from: string, to: string): Promise<void> {
  await query(
    database.url,
    `select citus_update_node(nodeid, '127.0.0.1', $2) from pg_dist_node where nodeport = $1`,
    [new URL(from).port, new URL(to).port],
  );
}

/** Answers why an append failed; null: it did not. */
async function failureOf(worker: Worker): Promise<unknown> {
  return appendTo(worker).then(
    () => null,
    (error: unknown) => error,
  );
}

test('without workers an append goes through the pool', async () => {
  openNaming([database.url]);
  await appendTo({ lane: 3 });
  expect(await appending(database)).toBe(1);
  expect((await endOf(log, 3)).position).toBe(1);
});

test('an append goes straight to the worker that holds its lanes, and needs no coordinator', async () => {
  if (workers.length === 0) return;
  openNaming(workers.map(({ url }) => url));
  for (const worker of workers) await untilStraight(worker);
  const appends = await Promise.all(
    workers.map(async ({ lane }) => ({
      end: await endOf(log, lane),
      events: TestAccount.inLane(lane).many(2),
    })),
  );
  link.setMode('silence');
  for (const append of appends) expect(await log.append([append])).toHaveLength(1);
}, 60_000);

test('a worker that is not named gets its appends through the coordinator', async () => {
  const [named, ...others] = workers;
  if (named === undefined) return;
  openNaming([named.url]);
  await untilStraight(named);
  for (const other of others) {
    await appendTo(other);
    expect((await endOf(log, other.lane)).position).toBe(1);
    expect(await query(other.url, `select ${OURS}`)).toEqual([]);
  }
  const indirect = others.map(({ url, lane }) => ({
    lanes: expect.arrayContaining([lane]),
    address: new URL(url).host,
    isNamed: false,
  }));
  expect(servers.indirect).toHaveLength(others.length);
  expect(servers.indirect).toEqual(expect.arrayContaining(indirect));
}, 60_000);

test('a worker that the cluster has elsewhere by now takes no append at its old address', async () => {
  const [worker] = workers;
  if (worker === undefined) return;
  openNaming(workers.map(({ url }) => url));
  await untilStraight(worker);
  const moved = await TcpProxy.start(worker.url);
  try {
    await move(worker.url, moved.url);
    await waitFor('no connection leads to the old address', async () => {
      await endSessions(worker);
      await appendTo(worker);
      return (await query(worker.url, `select ${OURS}`)).length === 0;
    });
    await move(moved.url, worker.url);
    await untilStraight(worker);
  } finally {
    await moved.stop();
  }
}, 60_000);

test.each(['silence', 'refuse'] as const)(
  'a worker that this process alone does not reach (%s) gets its appends through the coordinator, and straight ones when it is back',
  async (mode) => {
    const [worker, ...others] = workers;
    if (worker === undefined) return;
    const own = await linkTo(worker);
    openNaming([own.url, ...others.map(({ url }) => url)]);
    for (const each of workers) await untilStraight(each);

    own.setMode(mode, 0, NAME);
    const failures: unknown[] = [];
    const isWritten = async (): Promise<boolean> => {
      failures.push(await failureOf(worker));
      return failures.at(-1) === null;
    };
    await waitFor('appends go on', isWritten, GIVEN_UP_MS);
    for (const failure of failures.slice(0, -1))
      expect(failure).toBeInstanceOf(AppendUncertainError);
    await waitFor('it is known', () => servers.indirect.length > 0);
    const isNamed = { address: new URL(own.url).host, isNamed: true };
    expect(servers.indirect).toEqual([expect.objectContaining(isNamed)]);
    await Promise.all([appendTo(worker), ...others.map(untilStraight)]);

    own.setMode('pass');
    await endSessions(worker);
    await untilStraight(worker);
    expect(servers.indirect).toEqual([]);
  },
  60_000,
);

test('a worker that says nothing to anybody refuses the appends of its lanes alone, and takes them straight when it speaks', async () => {
  const [worker, ...others] = workers;
  if (worker === undefined) return;
  const own = await linkTo(worker);
  openNaming([own.url, ...others.map(({ url }) => url)]);
  for (const each of workers) await untilStraight(each);

  own.setMode('silence');
  const sentAt = performance.now();
  const refused = Promise.all(Array.from({ length: 3 }, () => failureOf(worker)));
  for (let appends = 0; appends < 10; appends += 1) await Promise.all(others.map(appendTo));
  expect(await refused).toEqual(Array.from({ length: 3 }, () => expect.any(Error)));
  expect(performance.now() - sentAt).toBeLessThan(GIVEN_UP_MS);
  for (const other of others) await untilStraight(other);

  own.setMode('pass');
  own.cutAll();
  await waitFor('appends go on', async () => (await failureOf(worker)) === null);
  await untilStraight(worker);
}, 60_000);

test('a connection that ends unused lets the next append go through the coordinator', async () => {
  const [worker] = workers;
  if (worker === undefined) return;
  openNaming(workers.map(({ url }) => url));
  for (let ended = 0; ended < 3; ended += 1) {
    await untilStraight(worker);
    await endSessions(worker);
    await appendTo(worker);
  }
  await untilStraight(worker);
}, 60_000);

test('an append whose connection to the worker ends is uncertain', async () => {
  const [worker] = workers;
  if (worker === undefined) return;
  openNaming(workers.map(({ url }) => url));
  await untilStraight(worker);
  const blocker = new pg.Client({ connectionString: worker.url });
  await blocker.connect();
  try {
    const account = TestAccount.inLane(worker.lane);
    const event = account.next();
    await blocker.query('begin');
    // An index entry that is not committed yet makes the append wait in the middle.
    await blocker.query(
      `insert into event (position, account_version, at, account_id, lane, type, data)
       values (9999, 1, now(), $1, $2, 'Blocker', '{}')`,
      [account.id, worker.lane],
    );
    const refused = expect(appendAll(log, [[event]])).rejects.toThrow(AppendUncertainError);
    await waitFor('the append waits at the worker', async () => {
      const waiting = `and state = 'active' and wait_event_type = 'Lock'`;
      const ended = await query(worker.url, `select pg_terminate_backend(pid) ${OURS} ${waiting}`);
      return ended.length > 0;
    });
    await refused;
    await blocker.query('rollback');
    expect(await log.findCalls([{ lane: worker.lane, callId: event.callId ?? '' }])).toEqual([]);
  } finally {
    await blocker.end();
  }
}, 60_000);
