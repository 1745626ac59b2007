import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../test/setup/test-database.js';
import { openDatabase } from '../database.js';
import { REFERENCE_TABLES } from './distribute.js';
import { TABLES_BY_LANE } from './tables-by-lane.js';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'tables-by-lane.spec' });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('the tables by lane are those of the migrations whose keys all hold the lane', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name
       from pg_class c
       join pg_index i on i.indrelid = c.oid and i.indisunique
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
      group by c.relname
     having bool_and(exists (
              select from pg_attribute a
               where a.attrelid = i.indrelid and a.attnum = any (i.indkey) and a.attname = 'lane'))
      order by 1`,
  );
  const names = rows.map(({ name }) => name).filter((name) => !REFERENCE_TABLES.test(name));
  expect(names).toEqual(TABLES_BY_LANE.toSorted());
});
