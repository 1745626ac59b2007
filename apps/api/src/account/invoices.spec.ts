import { ask, type CheckedAnswer } from '../../test-adapters/seen.js';
import { bearer, createTestApi, type TestApi } from '../../test-adapters/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi({ reads: true });
});
afterAll(() => api.close());

function caller(scopes: ('data' | 'account:read')[] = ['account:read']) {
  const account = api.account();
  const headers = bearer(api.key(account, { scopes }));
  const get = (url: string): Promise<CheckedAnswer> =>
    ask(api, { url: `/v1/account${url}`, headers });
  return { account, get };
}

const PATHS = [
  '/invoices',
  '/invoices/draft',
  '/invoices/INV-000001',
  '/invoices/INV-000001.pdf',
  '/invoices/INV-000001/lines/1/calls',
  '/credit-notes',
  '/credit-notes/CN-000001',
];

const LISTS = ['/invoices', '/credit-notes'];
const READS = [
  'draft',
  'invoice',
  'invoices',
  'creditNote',
  'creditNotes',
  'document',
  'lineCalls',
];

afterEach(() => jest.restoreAllMocks());

it.each(PATHS)('%s is asked for by the own account alone', async (path) => {
  const { account, get } = caller();
  const reads = READS.map((name) => jest.spyOn(api.invoices, name as 'invoice'));
  const { status } = await get(path);
  const asked = reads.flatMap(({ mock }) => mock.calls.map(([of]) => of));
  const isList = LISTS.includes(path);
  expect(asked).toMatchObject([isList ? { accountId: account.id } : account.id]);
  expect(status).toBe(isList || path === '/invoices/draft' ? 200 : 404);
});

it.each(PATHS)('%s takes the scope account:read', async (path) => {
  const refused = await caller(['data']).get(path);
  expect([refused.status, refused.json()['code']]).toEqual([403, 'forbidden']);
});

it.each([
  ['/invoices/INV-1', ['number']],
  ['/invoices/INV-000001.doc', ['number']],
  ['/invoices/inv-000001', ['number']],
  ['/invoices/INV-0000001', ['number']],
  ['/invoices/INV-000001?x=1', ['x']],
  ['/invoices/x/lines/0/calls?limit=0', ['number', 'line', 'limit']],
  ['/invoices?month=2026-13&status=gone&test=true', ['test', 'month', 'status']],
  ['/credit-notes/CN-000001.jsonl', ['number']],
])('%s is wrong in %j, reported at once', async (path, names) => {
  const refused = await caller().get(path);
  const { code, parameters } = refused.json() as unknown as {
    code: string;
    parameters: { name: string }[];
  };
  expect([refused.status, code]).toEqual([400, 'invalid-parameter']);
  expect(parameters.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
});
