import { ask, type Ask } from '../../test-adapters/seen.js';
import { bearer, createTestApi, type TestApi } from '../../test-adapters/test-api.js';

const TRENDS = '/v1/latest/cat2/trends/top5/popindex/us/skincare';

let api: TestApi;
beforeEach(async () => (api = await createTestApi({ rateClock: () => 0 })));
afterEach(() => api.app.close());

/** Codes of the refusals that were counted after requests. */
async function counted(...requests: readonly Ask[]): Promise<readonly string[]> {
  for (const request of requests) await ask(api, request);
  return api.refused.map(({ code, path }) => `${code} ${path}`);
}

test('a call without credits is counted with what it needs, under its key and its path', async () => {
  const account = api.account(20);
  const key = api.key(account);
  expect(await counted({ url: TRENDS, headers: bearer(key) })).toEqual([
    `out-of-credits ${TRENDS}`,
  ]);
  const [{ accountId, keyId, requiredCredits, at } = {}] = api.refused;
  expect([accountId, requiredCredits, at]).toEqual([account.id, 35, api.clock.now()]);
  expect(keyId).toBe(key.keyId);
});

test('calls beyond the rate are counted, with their path if it is one of a resource', async () => {
  const headers = bearer(api.key(api.account(), { rateLimit: { perSecond: 0.001, burst: 1 } }));
  const requests = [TRENDS, TRENDS, '/v1/nonsense'].map((url) => ({ url, headers }));
  expect(await counted(...requests)).toEqual([`rate-limited ${TRENDS}`, 'rate-limited ']);
});

test('a key without the scope is counted as forbidden', async () => {
  const headers = bearer(api.key(api.account(), { scopes: ['account:read'] }));
  expect(await counted({ url: TRENDS, headers })).toEqual([`forbidden ${TRENDS}`]);
});

test.each([
  ['a quote', { method: 'HEAD', url: TRENDS }],
  ['a path that is wrong', { url: '/v1/latest/cat9/trends/top5/popindex/us/skincare' }],
  ['a ceiling', { url: TRENDS, headers: { 'credits-max': '1' } }],
] as const)('%s is no refused call', async (_, request) => {
  const headers = {
    ...('headers' in request && request.headers),
    ...bearer(api.key(api.account(20))),
  };
  expect(await counted({ ...request, headers })).toEqual([]);
});

test('a caller without a valid key is nobody’s', async () => {
  expect(await counted({ url: TRENDS, headers: { authorization: 'Bearer x' } })).toEqual([]);
});
