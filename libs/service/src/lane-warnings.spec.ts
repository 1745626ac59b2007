import pg from 'pg';
import { keepGroups } from '#event-log/query-by-lane.js';
import { ALL_LANES } from '#event-log/event-log.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { askLanesAway, laneWarnings } from './lane-warnings.js';

const SYSTEM = ALL_LANES.filter((lane) => lane === 0);
const OTHERS = ALL_LANES.filter((lane) => lane > 2);

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('where all lanes are in one place there is nothing to warn of', async () => {
  keepGroups(pool, [ALL_LANES]);
  expect(laneWarnings(await askLanesAway(pool)())).toEqual([]);
});

test('groups that answer are not named', async () => {
  keepGroups(pool, [SYSTEM, [1, 2], OTHERS]);
  expect(laneWarnings(await askLanesAway(pool)())).toEqual([]);
});

test('groups that fail alike are named together, in the order of their lanes', async () => {
  const failing = new pg.Pool({ connectionString: database.url });
  await failing.query('select');
  await failing.end();
  keepGroups(failing, [[2, 3], OTHERS.slice(1), SYSTEM, [1]]);
  const away = await askLanesAway(failing)();
  expect(away.lanes).toEqual(ALL_LANES);
  const [warning, ...more] = laneWarnings(away);
  expect(more).toEqual([]);
  expect(warning).toMatch(/^Lanes 0, 1, 2, 3, 4, .* do not answer \(.+\): calls of their accounts/);
});
