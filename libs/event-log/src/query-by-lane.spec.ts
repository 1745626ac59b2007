import type pg from 'pg';
import { openDatabase } from '#database/database.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { ALL_LANES, LANE_GROUPS, type LaneGroups } from './event-log.js';
import { ofLanes } from './of-lanes.js';
import { keepGroups, queryByLane, queryAllLanes, readGroups } from './query-by-lane.js';
import { storedGroups } from './stored-groups.js';

let database: TestDatabase;
let pool: pg.Pool;
/** Several, also where all lanes are in one place. */
let groups: LaneGroups;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'query-by-lane.spec' });
  groups = await storedGroups(pool);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const ASKED = `select l.lane from unnest($1::int2[]) as wanted (lane)
                cross join lateral (select lane from lane l where l.lane = wanted.lane limit 1) l`;

/** Lanes that are asked for, in a join of which no table would name them, and the texts sent. */
async function ask(lanes: readonly number[]) {
  const sent = jest.spyOn(pool, 'query');
  const rows = await queryByLane<{ lane: number }>(
    pool,
    lanes,
    (lane) => lane,
    (own) => ({ name: 'asked', text: ASKED, values: [own] }),
  );
  const texts = sent.mock.calls.map(([query]) => (query as unknown as pg.QueryConfig).text);
  sent.mockRestore();
  return { texts, lanes: rows.map(({ lane }) => lane).toSorted((a, b) => a - b) };
}

it('each lane is in one group', async () => {
  expect((await readGroups(pool)).flat().toSorted((a, b) => a - b)).toEqual(ALL_LANES);
});

it('asks once where all lanes are in one place, and for nothing not at all', async () => {
  // A cluster would refuse it.
  if ((await readGroups(pool)).length > 1) return;
  expect(await ask([3, 60, 0])).toEqual({ texts: [ASKED], lanes: [0, 3, 60] });
  expect(await ask([])).toEqual({ texts: [], lanes: [] });
});

it('a setting has a plain PostgreSQL read by groups as a cluster is', async () => {
  const client = await pool.connect();
  await client.query(`set popindex.lane_groups = ${LANE_GROUPS}`);
  const found = await readGroups(client);
  client.release(true);
  expect(found.length).toBeGreaterThanOrEqual(LANE_GROUPS);
  expect(found.flat().toSorted((a, b) => a - b)).toEqual(ALL_LANES);
});

it('asks once for each group that has some of the lanes, and returns the rows of all', async () => {
  keepGroups(pool, groups);
  const first = groups.find((group) => group.includes(3)) ?? [];
  const two = await ask([3, first.find((lane) => lane !== 3) ?? 0]);
  expect(two.texts).toEqual([ofLanes(ASKED, first)]);
  expect(two.lanes).toHaveLength(2);
  const all = await ask(ALL_LANES);
  expect(all.texts).toHaveLength(groups.length);
  expect(all.lanes).toEqual(ALL_LANES);
});

it('a statement about all lanes sees each of them once', async () => {
  keepGroups(pool, groups);
  const counts = await queryAllLanes<{ lanes: number }>(pool, {
    text: `select count(*) as lanes from lane l`,
  });
  expect(counts.reduce((sum, { lanes }) => sum + lanes, 0)).toBe(ALL_LANES.length);
});
