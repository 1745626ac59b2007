import type pg from 'pg';
import { openDatabase } from '#database/database.js';
import { appendAll } from '../../../test/setup/log-steps.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { PostgresEventLog } from './postgres-event-log.js';
import type { Projection } from './projection.js';
import { ProjectionRunner } from './projection-runner.js';

let database: TestDatabase;
let pool: pg.Pool;
let runner: ProjectionRunner;
let order: string[];
let account: TestAccount;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'order.spec' });
  order = [];
  account = TestAccount.inLane(7);
});

afterEach(async () => {
  await runner.stop();
  await pool.end();
  await database.drop();
});

function start(projections: readonly Projection[]): void {
  runner = new ProjectionRunner(pool, projections, { pollMs: 20 });
  runner.start();
}

/** Notes what it is handed, once `before` has gone through. */
function noting(name: string, before: (client: pg.ClientBase) => Promise<unknown>): Projection {
  return {
    name,
    version: 1,
    tables: [],
    async apply(events, client) {
      await before(client);
      order.push(...events.map(({ position }) => `${name} ${position}`));
    },
  };
}

/** Appends an event; answers where its lane stands. */
async function append(): Promise<ReadonlyMap<number, number>> {
  await appendAll(new PostgresEventLog(pool), [[account.next()]]);
  return new Map([[7, account.version]]);
}

test('a projection that goes after another one applies what that one had the time to read', async () => {
  const slow = noting('slow', (client) => client.query('select pg_sleep(0.1)'));
  start([slow, { ...noting('later', () => Promise.resolve()), after: 'slow' }]);
  for (let round = 0; round < 3; round += 1) {
    expect(await runner.catchUp('later', await append(), 10_000)).toBe(true);
  }
  expect(order).toEqual(['slow 1', 'later 1', 'slow 2', 'later 2', 'slow 3', 'later 3']);
});

test('a projection goes on while the one before it cannot', async () => {
  const broken = noting('broken', () => Promise.reject(new Error('A fault of its own.')));
  start([broken, { ...noting('later', () => Promise.resolve()), after: 'broken' }]);
  for (let round = 0; round < 3; round += 1) {
    expect(await runner.catchUp('later', await append(), 10_000)).toBe(true);
  }
  await pool.query(`update checkpoint set version = 2 where projection = 'broken'`);
  expect(await runner.catchUp('later', await append(), 10_000)).toBe(true);
  await waitFor('the fault', () => runner.status()[0]?.state === 'failed');
  expect(await runner.catchUp('later', await append(), 10_000)).toBe(true);
  expect(order).toEqual([1, 2, 3, 4, 5].map((position) => `later ${position}`));
});
