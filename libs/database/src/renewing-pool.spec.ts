import { createServer, type AddressInfo, type Server } from 'node:net';
import type pg from 'pg';
import { urlNaming } from '../../../bench/join-cluster.js';
import { quickest } from '../../../test/setup/quickest.js';
import { TcpProxy } from '../../../test/setup/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { openDatabase, withClient, withTransaction } from './database.js';
import { faultOf } from './errors.js';

const CONNECTIONS = 3;

let database: TestDatabase;
let proxy: TcpProxy;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

beforeEach(async () => {
  proxy = await TcpProxy.start(database.url);
  pool = openDatabase({
    url: proxy.url,
    applicationName: 'renewing-pool.spec',
    connectionsMax: CONNECTIONS,
    statementTimeoutMs: 500,
  });
  await backends();
});

afterEach(async () => {
  await proxy.stop();
  await pool.end();
});

/** The servers of all connections at once. */
function backends(): Promise<number[]> {
  const one = async (): Promise<number> => {
    const { rows } = await pool.query<{ pid: number }>(
      'select pg_backend_pid() as pid from pg_sleep(0.05)',
    );
    return rows[0]?.pid ?? 0;
  };
  return Promise.all(Array.from({ length: CONNECTIONS }, one));
}

async function fault(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    return faultOf(error);
  }
}

describe('when all connections have fallen silent', () => {
  test('the first use fails, and whoever comes later gets new ones', async () => {
    proxy.setMode('swallow');
    expect(await fault(pool.query('select'))).toBe('connection-lost');
    await expect(backends()).resolves.toHaveLength(CONNECTIONS);
  });

  test('a connection that was lent by hand notifies the others as well', async () => {
    proxy.setMode('swallow');
    const used = withClient(pool, (client) => client.query('select'));
    expect(await fault(used)).toBe('connection-lost');
    await expect(backends()).resolves.toHaveLength(CONNECTIONS);
  });

  test('what one pool has noticed every pool of the same database knows', async () => {
    const patient = openDatabase({
      url: proxy.url,
      applicationName: 'renewing-pool.spec',
      statementTimeoutMs: 60_000,
    });
    await patient.query('select');
    proxy.setMode('swallow');
    expect(await fault(pool.query('select'))).toBe('connection-lost');
    await expect(patient.query('select')).resolves.toMatchObject({ rowCount: 1 });
    await patient.end();
  });

  test('a transaction fails when its statement does, without waiting for a rollback', async () => {
    const tookMs = await quickest(1_000, async () => {
      let statementFailedAt = 0;
      const used = withTransaction(pool, async (client) => {
        proxy.setMode('swallow');
        await client.query('select').catch((error: unknown) => {
          statementFailedAt = performance.now();
          throw error;
        });
      });
      expect(await fault(used)).toBe('connection-lost');
      return performance.now() - statementFailedAt;
    });
    expect(tookMs).toBeLessThan(1_000);
  });
});

test('connections stay as they are when only a statement fails', async () => {
  const before = await backends();
  const failing = withClient(pool, (client) => client.query('select 1/0'));
  await expect(failing).rejects.toThrow('division');
  expect(new Set(await backends())).toEqual(new Set(before));
});

test('callers that take callbacks are lent connections too', async () => {
  const answer = await new Promise<pg.QueryResult>((resolve, reject) => {
    pool.connect((error, client, release) => {
      if (client === undefined) return reject(error ?? new Error('There is no connection.'));
      client
        .query('select 1 as one')
        .then(resolve, reject)
        .finally(() => release());
    });
  });
  expect(answer.rows).toEqual([{ one: 1 }]);
});

/** A server that is ready and going down in one and the same packet. */
async function startGoingDown(): Promise<Server> {
  const fatal = 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + fatal.length);
  const packet = Buffer.concat([
    Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05IE', 'latin1'),
    length,
    Buffer.from(fatal, 'latin1'),
  ]);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(packet));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

test('a connection lost in the packet that made it ready fails its user, and no more', async () => {
  const server = await startGoingDown();
  const { port } = server.address() as AddressInfo;
  const dying = openDatabase({
    url: `postgresql://u@127.0.0.1:${port}/d`,
    applicationName: 'spec',
  });
  try {
    await expect(withClient(dying, (client) => client.query('select'))).rejects.toThrow();
    await expect(dying.query('select')).rejects.toThrow();
  } finally {
    await dying.end();
    await new Promise((resolve) => server.close(resolve));
  }
});

test('of several servers one that stays silent is waited for once, and not with each loss', async () => {
  const silent = await TcpProxy.start(database.url);
  silent.setMode('silence');
  const hosts = [proxy.url, silent.url].map((url) => new URL(url).host);
  const several = openDatabase({
    url: urlNaming(database.url, hosts),
    applicationName: 'renewing-pool.spec',
  });
  try {
    await several.query('select');
    const tookMs = await quickest(1_000, async () => {
      const ended = several.query('select pg_terminate_backend(pg_backend_pid())');
      expect(await fault(ended)).toBe('connection-lost');
      const lostAt = performance.now();
      await several.query('select');
      return performance.now() - lostAt;
    });
    expect(tookMs).toBeLessThan(1_000);
  } finally {
    await several.end();
    await silent.stop();
  }
});
