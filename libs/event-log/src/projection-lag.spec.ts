import type pg from 'pg';
import { openDatabase } from '#database/database.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { FIRST_HEAD } from './hash-chain.js';
import { PostgresEventLog } from './postgres-event-log.js';
import { projectionLags } from './projection-lag.js';

let database: TestDatabase;
let pool: pg.Pool;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'projection-lag.spec' });
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

const checkpoint = (name: string, position: number) =>
  pool.query(
    `insert into checkpoint (projection, lane, version, position) values ($1, 7, 1, $2)
       on conflict (projection, lane) do update set position = excluded.position`,
    [name, position],
  );

test('a projection is as far behind as the events, and the oldest of them, that it lacks', async () => {
  const log = new PostgresEventLog(pool, database.groups);
  const account = TestAccount.inLane(7);
  const end = { lane: 7, position: 0, head: FIRST_HEAD };
  const [after] = await log.append([{ end, events: [account.next(), account.next()] }]);
  if (after === undefined) throw new Error('Nothing was written.');
  await log.append([{ end: after, events: [account.next()] }]);
  await pool.query(
    'update batch set committed_at = to_timestamp($1::float8 - 3600 * (4 - last_position))',
    [Date.now() / 1000],
  );
  await checkpoint('whole', 3);
  await checkpoint('half', 2);

  const lags = await projectionLags(pool, ['none', 'half', 'whole']);
  expect(lags.map(({ name, events }) => [name, events])).toEqual([
    ['half', 1],
    ['none', 3],
    ['whole', 0],
  ]);
  const [half, none, whole] = lags.map(({ seconds }) => Math.round(seconds / 360) / 10);
  expect([half, none, whole]).toEqual([1, 2, 0]);
});
