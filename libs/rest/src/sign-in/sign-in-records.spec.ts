import { openDatabase } from '#database/database.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/setup/test-database.js';
import { SignInRecords, type SignInAbout } from './sign-in-records.js';

const MINUTE = 60_000;
const NOW = Date.parse('2026-11-24T09:00:30Z');
const CONSOLE: SignInAbout = { door: 'console' };

let database: TestDatabase;
let pool: ReturnType<typeof openDatabase>;
let records: SignInRecords;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'sign-ins-spec' });
  records = new SignInRecords(pool);
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

async function rows(): Promise<{ address: string; times: number }[]> {
  const { rows: found } = await pool.query<{ address: string; times: number }>(
    'select address, times::int from sign_in_record order by at, address',
  );
  return found;
}

test('failures of an address and minute are one row, whichever process counts them', async () => {
  const other = new SignInRecords(pool);
  for (let guess = 0; guess < 1_000; guess += 1) {
    records.count('sign-in-failed', '10.0.0.1', CONSOLE, NOW);
    if (guess % 100 === 0) await records.flush();
  }
  other.count('sign-in-failed', '10.0.0.1', CONSOLE, NOW + 1_000);
  await Promise.all([records.flush(), other.flush()]);
  expect(await rows()).toEqual([{ address: '10.0.0.1', times: 1_001 }]);
  records.count('sign-in-failed', '10.0.0.1', CONSOLE, NOW + MINUTE);
  await records.flush();
  expect((await rows()).map(({ times }) => times)).toEqual([1_001, 1]);
});

test('a flood of 1,000 addresses is 50 rows and one of all others, and hides no sign-in', async () => {
  for (let n = 0; n < 1_000; n += 1) {
    records.count('sign-in-failed', `10.0.${n >> 8}.${n & 255}`, CONSOLE, NOW);
    if (n % 250 === 0) await records.flush();
  }
  records.count('signed-in', '10.9.9.9', { door: 'console', by: 'owner' }, NOW + 1);
  await records.flush();
  const found = await rows();
  expect(found).toHaveLength(52);
  expect(found.find(({ address }) => address === 'others')).toMatchObject({ times: 950 });
  expect(found.at(-1)).toEqual({ address: '10.9.9.9', times: 1 });
});

test('while the database is away counting goes on, nothing is lost and nothing grows without end', async () => {
  await pool.query('alter table sign_in_record rename to away');
  records.count('sign-in-failed', '10.0.0.1', CONSOLE, NOW);
  await expect(records.flush()).rejects.toThrow('sign_in_record');
  records.count('sign-in-failed', '10.0.0.1', CONSOLE, NOW);
  await expect(records.flush()).rejects.toThrow('sign_in_record');
  await pool.query('alter table away rename to sign_in_record');
  await records.flush();
  expect(await rows()).toEqual([{ address: '10.0.0.1', times: 2 }]);
  for (let minute = 1; minute <= 2_500; minute += 1) {
    records.count('sign-in-failed', '10.0.0.2', CONSOLE, NOW + minute * MINUTE);
  }
  await records.flush();
  expect(await rows()).toHaveLength(2_001);
});

test('they are forgotten after their time, and with the account that they are about', async () => {
  const account_id = '0197c000-0000-7000-8000-000000000000';
  records.count('signed-in', '10.0.0.1', { door: 'portal', account_id, by: 'a' }, NOW);
  records.count('signed-in', '10.0.0.2', CONSOLE, NOW);
  records.count('signed-in', '10.0.0.3', CONSOLE, NOW + MINUTE);
  await records.forgetAccount(account_id);
  expect((await rows()).map(({ address }) => address)).toEqual(['10.0.0.2', '10.0.0.3']);
  await records.forgetBefore(NOW + MINUTE);
  expect((await rows()).map(({ address }) => address)).toEqual(['10.0.0.3']);
});
