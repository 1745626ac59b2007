import type pg from 'pg';
import { openDatabase } from '#database/database.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { DamageWatch } from './damage-watch.js';
import { damageWarnings } from './damage-warnings.js';

const ACCOUNT = '0197c000-0000-7000-8000-00000000000a';
const OTHER = '0197c000-0000-7000-8000-00000000000b';

let database: TestDatabase;
let pool: pg.Pool;
let watch: DamageWatch;
let errors: object[];

beforeEach(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'damage.spec' });
  errors = [];
  const error = (members: object): void => void errors.push(members);
  watch = new DamageWatch(pool, { error, warn: () => undefined }, 10);
});

afterEach(async () => {
  await watch.stop();
  await pool.end();
  await database.drop();
});

async function damage(projection: string, accountId = ACCOUNT): Promise<void> {
  await pool.query(`insert into damaged_account values ($1, 11, $2, 40, 3, 'No balance.')`, [
    projection,
    accountId,
  ]);
}

const logged = (count: number) => waitFor('it is logged', () => errors.length === count);

it('logs each damaged account once, with the place of its event, and again once it is damaged again', async () => {
  await damage('ledger');
  watch.start();
  await logged(1);
  expect(errors[0]).toEqual({
    projection: 'ledger',
    accountId: ACCOUNT,
    lane: 11,
    position: 40,
    account_version: 3,
    error: 'No balance.',
  });
  await damage('windows');
  await logged(2);
  await pool.query(`delete from damaged_account where projection = 'ledger'`);
  await damage('audit');
  await logged(3);
  await damage('ledger');
  await logged(4);
  const projections = errors.map((each) => (each as { projection: string }).projection);
  expect(projections).toEqual(['ledger', 'windows', 'audit', 'ledger']);
});

it('warns everybody of their number, each account once, and names none', async () => {
  expect(await damageWarnings(pool)).toEqual([]);
  await damage('ledger');
  await damage('windows');
  expect(await damageWarnings(pool)).toEqual([expect.stringMatching(/^1 account is damaged/)]);
  await damage('ledger', OTHER);
  const [warning = ''] = await damageWarnings(pool);
  expect(warning).toMatch(/^2 accounts are damaged/);
  expect(warning).not.toContain(ACCOUNT);
});
