import type pg from 'pg';
import { openDatabase } from '#database/database.js';
import { appendAll } from '../../../test/setup/log-steps.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import type { StoredEvent } from './event-log.js';
import { CHANGES } from './milestones.js';
import { PostgresEventLog } from './postgres-event-log.js';
import { applyBatch, registerProjection } from './projection-batch.js';
import type { Projection } from './projection.js';
import { ProjectionRunner } from './projection-runner.js';

let database: TestDatabase;
let pool: pg.Pool;
let log: PostgresEventLog;
let seen: StoredEvent[];

beforeEach(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'types.spec' });
  log = new PostgresEventLog(pool, database.groups);
  seen = [];
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

const choosy: Projection = {
  name: 'choosy',
  version: 1,
  tables: [],
  wants: CHANGES,
  apply: async (events) => void seen.push(...events),
};

/** Appends events of these types to one lane. */
async function fill(account: TestAccount, types: readonly string[]): Promise<number> {
  await appendAll(log, [types.map((type) => account.next({ type }))]);
  return account.version;
}

async function checkpoint(lane: number): Promise<number | undefined> {
  const { rows } = await pool.query<{ position: number }>(
    `select position from checkpoint where projection = 'choosy' and lane = $1`,
    [lane],
  );
  return rows[0]?.position;
}

test('a projection of milestones is handed those alone, in order, and passes over all others', async () => {
  const account = TestAccount.inLane(7);
  const types = ['CallMade', 'Rare', 'CallMade', 'Rare', 'CallMade'];
  const position = await fill(account, types);
  const runner = new ProjectionRunner(pool, [choosy], { eventsMax: 2, pollMs: 5 });
  runner.start();
  expect(await runner.catchUp('choosy', new Map([[7, position]]), 10_000)).toBe(true);
  await runner.stop();
  expect(seen.map((event) => event.position)).toEqual([2, 4]);
});

test('no event is passed before it is there, also when the backlog was counted long ago', async () => {
  const account = TestAccount.inLane(7);
  await fill(account, ['CallMade', 'CallMade']);
  await registerProjection(pool, choosy);
  const apply = async (behind: number): Promise<number> => {
    const client = await pool.connect();
    try {
      return await applyBatch(client, choosy, [{ lane: 7, behind }]);
    } finally {
      client.release();
    }
  };
  expect(await apply(2)).toBe(2);
  expect(await apply(2)).toBe(0);
  expect(await checkpoint(7)).toBe(2);
  await fill(account, ['Rare']);
  expect(await apply(5)).toBe(1);
  expect(seen).toMatchObject([{ position: 3, type: 'Rare' }]);
});
