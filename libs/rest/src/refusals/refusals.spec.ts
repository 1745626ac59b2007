import { openDatabase } from '#database/database.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/setup/test-database.js';
import { KEPT_MAX, RefusedCalls, type RefusedCall } from './refused-calls.js';
import { Refusals } from './refusals.js';
import type { RefusalQuery } from './refusal-query.js';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-24T09:00:30.125Z');
const ACCOUNT = '0197c000-0000-7000-8000-000000000000';
const OTHER = '0197c000-0000-7000-8000-000000000001';
const PATH = '/v1/latest/cat1/trends/all/popindex/us/beauty';

const refused = (changes: Partial<RefusedCall> = {}): RefusedCall => ({
  accountId: ACCOUNT,
  keyId: 'a0000000-0000-4000-8000-000000000000',
  path: PATH,
  code: 'out-of-credits',
  requiredCredits: 50_000,
  at: NOW,
  ...changes,
});

let database: TestDatabase;
let pool: ReturnType<typeof openDatabase>;
let calls: RefusedCalls;
let refusals: Refusals;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'refusals-spec' });
  calls = new RefusedCalls(pool);
  refusals = new Refusals(pool, { account: async () => undefined });
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

function list(query: Partial<RefusalQuery> = {}, accountId: string | null = ACCOUNT) {
  return refusals.list(accountId, { limit: 1_000, order: 'desc', ...query });
}

test('those of an hour, key, reason and URL are one item, whichever process counts them', async () => {
  const worker = new RefusedCalls(pool);
  for (let n = 0; n < 1_000; n += 1) {
    calls.count(refused());
    if (n % 100 === 0) await calls.flush();
  }
  worker.count(refused({ at: NOW + 1_000, requiredCredits: 10 }));
  await calls.flush();
  await worker.flush();
  expect((await list()).items).toEqual([
    {
      account_id: ACCOUNT,
      at: '2026-11-24T09:00:31.125Z',
      first_at: '2026-11-24T09:00:30.125Z',
      times: 1_001,
      path: PATH,
      api_key_id: 'a0000000-0000-4000-8000-000000000000',
      status: 402,
      code: 'out-of-credits',
      required_credits: 10,
    },
  ]);
  calls.count(refused({ at: NOW + HOUR }));
  await calls.flush();
  expect((await list()).items.map(({ times }) => times)).toEqual([1, 1_001]);
});

test('a flood of URLs hides no other account, and all of it is counted', async () => {
  for (let n = 0; n < 10_000; n += 1) calls.count(refused({ path: `/v1/${n}` }));
  calls.count(refused({ accountId: OTHER, code: 'forbidden', requiredCredits: null }));
  await calls.flush();
  const { items } = await list();
  expect(items).toHaveLength(101);
  expect(items.find(({ path }) => path === null)).toMatchObject({ times: 9_900 });
  expect((await list({}, OTHER)).items).toMatchObject([{ status: 403, required_credits: null }]);
  expect(calls.uncounted).toBe(0);
});

test('only the newest items of an account are kept', async () => {
  for (let hour = 0; hour < KEPT_MAX + 5; hour += 1) {
    calls.count(refused({ at: NOW + hour * HOUR }));
    if (hour % 200 === 0) await calls.flush();
  }
  calls.count(refused({ accountId: OTHER }));
  await calls.flush();
  const { items } = await list();
  expect(items).toHaveLength(KEPT_MAX);
  expect(items[0]?.at).toBe(new Date(NOW + (KEPT_MAX + 4) * HOUR).toISOString());
  expect((await list({}, OTHER)).items).toHaveLength(1);
});

test('while the database is away counting goes on in bounded memory, and reports what is lost', async () => {
  await pool.query('alter table refused_call rename to away');
  calls.count(refused());
  await expect(calls.flush()).rejects.toThrow('refused_call');
  calls.count(refused());
  await expect(calls.flush()).rejects.toThrow('refused_call');
  await pool.query('alter table away rename to refused_call');
  await calls.flush();
  expect((await list()).items).toMatchObject([{ times: 2 }]);
  const text = (n: number): string => n.toString(16).padStart(12, '0');
  for (let n = 0; n < 5_010; n += 1) {
    calls.count(refused({ accountId: `0197c000-0000-7000-8000-${text(n)}` }));
  }
  expect(calls.uncounted).toBe(10);
});

test.each(['asc', 'desc'] as const)('pages in order %s hold each item once', async (order) => {
  for (let n = 0; n < 25; n += 1) calls.count(refused({ path: `/v1/${n}`, at: NOW + (n % 3) }));
  calls.count(refused({ accountId: OTHER }));
  await calls.flush();
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const page = await list({ order, limit: 4, after });
    seen.push(...page.items.map(({ at, path }) => `${at} ${path}`));
    after = page.next ?? undefined;
  } while (after !== undefined);
  expect(new Set(seen).size).toBe(25);
  const moments = seen.map((item) => item.slice(0, 24));
  expect(moments).toEqual(order === 'asc' ? moments.toSorted() : moments.toSorted().toReversed());
});

test.each([
  [{ code: 'rate-limited' as const }, 1],
  [{ api_key_id: 'b0000000-0000-4000-8000-000000000000' }, 1],
  [{ from: NOW + HOUR }, 1],
  [{ to: NOW + HOUR }, 2],
  [{ from: NOW, to: NOW }, 0],
])('the filter %j shows %i', async (query, count) => {
  calls.count(refused());
  calls.count(refused({ code: 'rate-limited' }));
  calls.count(refused({ keyId: 'b0000000-0000-4000-8000-000000000000', at: NOW + HOUR }));
  await calls.flush();
  refusals = new Refusals(pool, { account: async () => ({}) as never });
  expect((await list(query)).items).toHaveLength(count);
});

test('an unknown account has no list, and all accounts have one', async () => {
  await expect(list()).rejects.toThrow();
  calls.count(refused());
  calls.count(refused({ accountId: OTHER }));
  await calls.flush();
  expect((await list({}, null)).items.map((item) => item.account_id).toSorted()).toEqual([
    ACCOUNT,
    OTHER,
  ]);
});
