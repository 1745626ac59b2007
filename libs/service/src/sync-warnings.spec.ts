import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { syncWarnings } from './sync-warnings.js';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  // The settings are of one session.
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('a server without names of standbys is warned of', async () => {
  expect(await syncWarnings(pool)).toEqual([
    'Commits wait for no standby (synchronous_standby_names is empty): a failover would lose acknowledged calls.',
  ]);
});

test.each(['off', 'local'])('synchronous_commit = %s is warned of', async (value) => {
  await pool.query(`set synchronous_commit to ${value}`);
  expect(await syncWarnings(pool)).toEqual([
    expect.stringContaining(`(synchronous_commit is ${value})`),
  ]);
});
