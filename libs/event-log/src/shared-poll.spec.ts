import type pg from 'pg';
import { openDatabase } from '#database/database.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { appendAll } from '../../../test/setup/log-steps.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import type { LaneGroups } from './event-log.js';
import { CHANGES } from './milestones.js';
import { PostgresEventLog } from './postgres-event-log.js';
import type { Projection } from './projection.js';
import { registerProjection } from './projection-batch.js';
import { readGroups } from './query-by-lane.js';
import { SharedPoll } from './shared-poll.js';

const [first, second] = ['first', 'second'].map((name): Projection => {
  return { name, version: 3, tables: [], wants: CHANGES, apply: async () => undefined };
}) as [Projection, Projection];

let database: TestDatabase;
let pool: pg.Pool;
let look: SharedPoll;
let account: TestAccount;
let groups: LaneGroups;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'shared-look', connectionsMax: 3 });
  groups = await readGroups(pool);
  look = new SharedPoll(pool);
  account = TestAccount.inLane(5);
  for (const projection of [first, second]) await registerProjection(pool, projection);
  await appendAll(new PostgresEventLog(pool, database.groups), [account.many(3)]);
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

async function reached(name: string): Promise<number> {
  const { rows } = await pool.query(
    'select position from checkpoint where projection = $1 and lane = $2',
    [name, account.lane],
  );
  return rows[0].position;
}

/** Appends an event that is no call. */
async function change(): Promise<void> {
  const events = [account.next({ type: 'Adjusted' })];
  await appendAll(new PostgresEventLog(pool, database.groups), [events]);
}

test('projections that ask at once share a statement, and each is answered for itself', async () => {
  await pool.query(`update checkpoint set position = 3 where projection = 'second' and lane = $1`, [
    account.lane,
  ]);
  const query = jest.spyOn(pool, 'query');
  const [one, other] = await Promise.all([look.find(first, groups), look.find(second, groups)]);
  const looks = query.mock.calls.filter(([sent]) => Object(sent).text.includes('skip locked'));
  expect(looks).toHaveLength(1);
  expect(one).toEqual({ skipped: 1, backlog: [] });
  expect(other).toEqual({ skipped: 0, backlog: [] });
  expect([await reached('first'), await reached('second')]).toEqual([3, 3]);
});

test('where something is wanted, no checkpoint moves', async () => {
  await change();
  const backlog = [{ lane: account.lane, behind: 4 }];
  const found = await Promise.all([look.find(first, groups), look.find(second, groups)]);
  expect(found).toEqual([
    { skipped: 0, backlog },
    { skipped: 0, backlog },
  ]);
  expect([await reached('first'), await reached('second')]).toEqual([0, 0]);
});

test('a checkpoint that somebody holds, or of another version, stays; the other one moves', async () => {
  const backlog = [{ lane: account.lane, behind: 3 }];
  const holder = await pool.connect();
  try {
    await holder.query('begin');
    const held = `select from checkpoint where projection = 'first' and lane = $1 for update`;
    await holder.query(held, [account.lane]);
    const found = await Promise.all([look.find(first, groups), look.find(second, groups)]);
    expect(found).toEqual([
      { skipped: 0, backlog },
      { skipped: 1, backlog: [] },
    ]);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  const newer = { ...first, version: 4 };
  expect(await look.find(newer, groups)).toEqual({ skipped: 0, backlog });
  expect([await reached('first'), await reached('second')]).toEqual([0, 3]);
});

test('who asks later is answered by the log as it is then', async () => {
  await look.find(first, groups);
  await change();
  expect(await look.find(first, groups)).toEqual({
    skipped: 0,
    backlog: [{ lane: account.lane, behind: 1 }],
  });
});

test('of a lane that one has passed the end of, it learns that; the other one moves', async () => {
  await pool.query(`update checkpoint set position = 9 where projection = 'second' and lane = $1`, [
    account.lane,
  ]);
  const found = await Promise.all([look.find(first, groups), look.find(second, groups)]);
  expect(found).toEqual([
    { skipped: 1, backlog: [] },
    { skipped: 0, backlog: [{ lane: account.lane, behind: -6 }] },
  ]);
  expect([await reached('first'), await reached('second')]).toEqual([3, 9]);
});

test('a statement that fails does so for all who asked, and for nobody who asks later', async () => {
  const query = jest.spyOn(pool, 'query');
  query.mockImplementationOnce(() => Promise.reject(new Error('The database is away.')));
  const asked = await Promise.allSettled([look.find(first, groups), look.find(second, groups)]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await look.find(second, groups)).toEqual({ skipped: 1, backlog: [] });
});
