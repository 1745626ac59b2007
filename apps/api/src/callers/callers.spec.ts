import { SKINCARE } from '../../test-adapters/memory-releases.js';
import { ask } from '../../test-adapters/seen.js';
import {
  BASE_URL,
  NOW,
  bearer,
  createTestApi,
  type TestApi,
} from '../../test-adapters/test-api.js';
import { formatInstant } from '#calendar/instant.js';
import { apiDocument } from '../openapi/api-document.js';

const TRENDS = '/v1/latest/cat2/trends/top5/popindex/us/skincare';

describe('a caller', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await createTestApi();
  });
  afterAll(() => api.app.close());

  const URLS = [TRENDS, '/v1/account', '/v1/account/calls', `/v1/calls/${SKINCARE}`];
  const unknown = 'pix_live_abcdefghijklmnopqrstuvwxyz01234Bcsrr';
  it.each([
    ['no header', undefined, 'unauthenticated'],
    ['an empty header', '', 'unauthenticated'],
    ['another scheme', 'Basic dXNlcjpwYXNz', 'unauthenticated'],
    ['a key without a scheme', unknown, 'unauthenticated'],
    ['a scheme without a key', 'Bearer', 'invalid-key'],
    ['a key with a typing error', `Bearer ${unknown.replace('abc', 'abd')}`, 'invalid-key'],
    ['a key that is unknown', `Bearer ${unknown}`, 'invalid-key'],
    ['a key cut short', `Bearer ${unknown.slice(0, 20)}`, 'invalid-key'],
    ['two keys', `Bearer ${unknown}, Bearer ${unknown}`, 'invalid-key'],
    ['a key with a null byte', `Bearer ${unknown.slice(0, 44)}\\0`, 'invalid-key'],
    ['the name of an object’s member', 'Bearer constructor', 'invalid-key'],
  ])('with %s is refused everywhere', async (_what, authorization, code) => {
    for (const url of URLS) {
      const answer = await ask(api, {
        url,
        headers: authorization === undefined ? {} : { authorization },
      });
      expect([url, answer.status, answer.json()['code']]).toEqual([url, 401, code]);
      expect(answer.header('www-authenticate')).toBe(
        code === 'invalid-key'
          ? 'Bearer realm="popindex", error="invalid_token"'
          : 'Bearer realm="popindex"',
      );
    }
  });

  it.each([
    ['revoked', { revoked: true }],
    ['expired', { expiresAt: NOW + 1_000 }],
  ])('with a key that is %s is refused', async (_what, changes) => {
    api.clock.time = NOW;
    const account = api.account();
    const headers = bearer(api.key(account, changes));
    await account.balance();
    api.clock.time += 1_000;
    for (const url of URLS) {
      expect((await ask(api, { url, headers })).json()['code']).toBe('invalid-key');
    }
  });

  const KEY = 'send the header "Authorization: Bearer <key>".';
  it.each<[string, Record<string, string>, string]>([
    ['nothing', {}, KEY.replace('send', 'Send')],
    ['another header', { 'x-api-key': unknown }, `X-Api-Key is not read: ${KEY}`],
    [
      'another scheme',
      { authorization: 'Basic dXNlcjpwYXNz' },
      `The scheme Basic is not taken: ${KEY}`,
    ],
    [
      'no scheme',
      { authorization: unknown },
      `The header Authorization lacks the word Bearer: ${KEY}`,
    ],
    [
      'an admin token',
      { authorization: `Bearer pixadm_${'a'.repeat(46)}` },
      'That is an admin token: it opens',
    ],
    [
      'a text that is no key',
      { authorization: 'Bearer secret' },
      'one begins with pix_live_ or pix_test_',
    ],
    [
      'a key cut short',
      { authorization: `Bearer ${unknown.slice(0, 20)}` },
      'it was cut short or mistyped',
    ],
    [
      'a key of another service',
      { authorization: `Bearer ${unknown}` },
      'The API key is unknown: compare it',
    ],
  ])('with %s learns what would be right', async (_what, headers, detail) => {
    for (const url of URLS) {
      expect((await ask(api, { url, headers })).json()['detail']).toContain(detail);
    }
  });

  it('with the secret of a key that is over learns when it ended', async () => {
    api.clock.time = NOW;
    const account = api.account();
    const expired = bearer(api.key(account, { expiresAt: NOW + 1_000 }));
    const replaced = bearer(api.key(account, { expiresAt: NOW + 1_000 }));
    const revoked = bearer(api.key(account, { revoked: true }));
    await account.balance();
    api.clock.time += 2_000;
    for (const url of URLS) {
      const details = [expired, revoked].map(async (headers) => ask(api, { url, headers }));
      const texts = (await Promise.all(details)).map((answer) => answer.json()['detail']);
      expect(texts).toEqual([
        `The API key expired at ${formatInstant(NOW + 1_000)}: ask for another one.`,
        `The API key was revoked at ${formatInstant(NOW)}: ask for another one.`,
      ]);
    }
    // The state of an account forgets what is over as soon as it issues another key.
    api.key(account);
    await account.balance();
    const late = await ask(api, { url: TRENDS, headers: replaced });
    expect(late.json()['detail']).toContain('expired at');
  });

  it('is refused for the key before the path, and for the path before the scope', async () => {
    const headers = bearer(api.key(api.account(), { scopes: ['account:read'] }));
    expect((await ask(api, { url: '/v1/nonsense' })).status).toBe(401);
    expect((await ask(api, { url: '/v1/nonsense', headers })).status).toBe(404);
    expect((await ask(api, { url: TRENDS.replace('skincare', 'none'), headers })).status).toBe(404);
    expect((await ask(api, { url: TRENDS, headers })).json()['code']).toBe('forbidden');
  });

  it('needs the scope that a resource asks for', async () => {
    const data = bearer(api.key(api.account(), { scopes: ['data'] }));
    const read = bearer(api.key(api.account(), { scopes: ['account:read'] }));
    expect((await ask(api, { url: TRENDS, headers: data })).status).toBe(200);
    for (const url of URLS.slice(1)) {
      expect((await ask(api, { url, headers: data })).json()['code']).toBe('forbidden');
    }
    const seen = await ask(api, { url: '/v1/account', headers: read });
    expect(seen.status).toBe(200);
    expect(seen.json()['api_key']).toEqual({
      id: expect.any(String) as string,
      scopes: ['account:read'],
      expires_at: null,
    });
    const quote = { method: 'POST', url: '/v1/quotes', payload: { urls: [TRENDS] } } as const;
    expect((await ask(api, { ...quote, headers: read })).json()['code']).toBe('forbidden');
    expect((await ask(api, { ...quote, headers: data })).status).toBe(200);
  });

  it('without any scope opens nothing that the document describes', async () => {
    const headers = bearer(api.key(api.account(), { scopes: [] }));
    const { paths } = apiDocument(BASE_URL);
    const asked: string[] = [];
    for (const [path, item] of Object.entries(paths)) {
      if (!/^\/v1\/(account|calls|quotes)/.test(path)) continue;
      for (const method of Object.keys(item)) {
        const url = path.replaceAll(/\{\w+\}/g, SKINCARE);
        const payload = method === 'post' ? { urls: [TRENDS] } : undefined;
        const request = { method: method.toUpperCase() as 'GET', url, headers };
        const answer = await ask(api, { ...request, ...(payload && { payload }) });
        expect([url, answer.status, answer.json()['code']]).toEqual([url, 403, 'forbidden']);
        asked.push(url);
      }
    }
    expect(asked.length).toBeGreaterThan(6);
  });

  it('of a suspended account gets no data, but still reads the account, at once again when resumed', async () => {
    const account = api.account();
    const headers = bearer(api.key(account));
    await account.suspend();
    expect((await ask(api, { url: TRENDS, headers })).json()['code']).toBe('account-suspended');
    expect((await ask(api, { url: '/v1/account', headers })).json()['status']).toBe('suspended');
    await account.resume();
    expect((await ask(api, { url: TRENDS, headers })).status).toBe(200);
  });

  it('beyond the rate is refused before the path is looked at', async () => {
    const headers = bearer(api.key(api.account(), { rateLimit: { perSecond: 0.001, burst: 2 } }));
    expect((await ask(api, { url: TRENDS, headers })).header('ratelimit')).toBe(
      '"key";r=1;t=1000, "account";r=1;t=1000',
    );
    const free = { method: 'HEAD', url: '/v1/account', headers } as const;
    expect((await ask(api, free)).header('ratelimit')).toBe(
      '"key";r=0;t=1000, "account";r=0;t=1000',
    );
    for (const url of [...URLS, '/v1/nonsense']) {
      const refused = await ask(api, { url, headers });
      expect([refused.status, refused.json()['code']]).toEqual([429, 'rate-limited']);
      expect(Number(refused.header('retry-after'))).toBeGreaterThan(900);
      expect(refused.header('ratelimit-policy')).toBe('"key";q=2;w=2000, "account";q=2;w=2000');
      expect(refused.header('ratelimit')).toMatch(/^"key";r=0;t=\d+, "account";r=0;t=\d+$/);
    }
    expect((await ask(api, { method: 'HEAD', url: TRENDS, headers })).status).toBe(429);
  });
});
