import type pg from 'pg';
import { openDatabase } from '#database/database.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/setup/test-database.js';
import { accountInLane } from '../../../../test/setup/test-events.js';
import { TextKeys } from './text-keys.js';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'text-keys.spec' });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

it('has the key of an account at hand once it was asked for, until its lane goes back', async () => {
  const keys = new TextKeys(pool);
  const [gone, neighbour, other] = [accountInLane(7), accountInLane(7), accountInLane(8)];
  expect(keys.atHand(gone)).toBeUndefined();
  const lost = await keys.of(gone);
  for (const id of [neighbour, other]) await keys.of(id);
  expect(keys.atHand(gone)).toBe(lost);
  await pool.query('delete from text_key where account_id = $1', [gone]);
  keys.forget(7);
  expect(keys.atHand(gone)).toBeUndefined();
  expect(keys.atHand(neighbour)).toBeUndefined();
  expect(keys.atHand(other)).toBeDefined();
  expect((await keys.of(gone))?.id).not.toBe(lost?.id);
});
