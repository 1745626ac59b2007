import { formatApiKey } from '#account/api-key.js';
import { ask, type Ask, type CheckedAnswer } from '../../test-adapters/seen.js';
import { bearer, createTestApi, type TestApi } from '../../test-adapters/test-api.js';

const TRENDS = '/v1/latest/cat2/trends/top5/popindex/us/skincare';
const SLOW = { perSecond: 0.001, burst: 60 };
/** Requests of an address without a valid key that pass at once. */
const BURST = 200;

let api: TestApi;
let now: number;
beforeEach(async () => {
  now = 0;
  // An address of its own for each caller that names one.
  api = await createTestApi({
    configuration: { trustProxy: ['127.0.0.1'] },
    rateClock: () => now,
  });
});
afterEach(() => api.app.close());

const PLAIN = { method: 'GET', url: TRENDS } as const;

async function times(count: number, asked: (index: number) => Ask): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1)
    statuses.push((await ask(api, asked(index))).status);
  return statuses;
}

function unknownKey(index: number): { authorization: string } {
  const random = String(index).padStart(30, 'x');
  return { authorization: `Bearer ${formatApiKey('pix_live_', random)}` };
}

function left(answer: CheckedAnswer): number[] {
  return [...String(answer.header('ratelimit')).matchAll(/r=(\d+)/g)].map(([, r]) => Number(r));
}

describe('the limit of an account', () => {
  it('holds over all its keys, beside each key’s own', async () => {
    const account = api.account();
    const keys = Array.from({ length: 11 }, () => bearer(api.key(account, { rateLimit: null })));
    const first = await ask(api, { url: TRENDS, headers: keys[0] });
    expect(first.header('ratelimit-policy')).toBe('"key";q=100;w=2, "account";q=1000;w=2');
    const answers = await Promise.all(
      keys.flatMap((headers) =>
        Array.from({ length: 130 }, () => api.app.inject({ ...PLAIN, headers })),
      ),
    );
    const passed = answers.filter(({ statusCode }) => statusCode === 200).length + 1;
    // 11 keys could make 1,100 at once.
    expect(passed).toBe(1_000);
    const accounts = answers.map(({ body }) => body).filter((body) => body.includes('all keys'));
    expect(accounts).not.toEqual([]);
  });

  it('that it was given is that of each key too, and all keys share it', async () => {
    const account = api.account();
    const [one, other] = [1, 2].map(() => bearer(api.key(account, { rateLimit: SLOW })));
    expect(await times(40, () => ({ url: TRENDS, headers: one }))).toEqual(Array(40).fill(200));
    expect(await times(20, () => ({ url: TRENDS, headers: other }))).toEqual(Array(20).fill(200));
    expect(await times(1, () => ({ url: TRENDS, headers: other }))).toEqual([429]);
    expect(await times(1, () => ({ url: '/v1/account', headers: one }))).toEqual([429]);
  });

  it('counts a free request as one, and a quote as one for each 20 URLs', async () => {
    const headers = bearer(api.key(api.account(), { rateLimit: SLOW }));
    const quote = (count: number) => {
      const payload = { urls: Array.from({ length: count }, () => TRENDS) };
      return ask(api, { method: 'POST', url: '/v1/quotes', headers, payload });
    };
    const free = { method: 'HEAD', url: '/v1/account', headers } as const;
    expect(left(await ask(api, free))).toEqual([59, 59]);
    expect(left(await quote(1))).toEqual([58, 58]);
    expect(left(await quote(20))).toEqual([57, 57]);
    expect(left(await quote(21))).toEqual([55, 55]);
    expect(left(await quote(1_000))).toEqual([5, 5]);
    const refused = await quote(1_000);
    expect([refused.status, left(refused)]).toEqual([429, [5, 5]]);
    expect(Number(refused.header('retry-after'))).toBeGreaterThan(40_000);
  });

  it('refuses what is beyond it before the directory is asked', async () => {
    const headers = bearer(api.key(api.account(), { rateLimit: { perSecond: 0.001, burst: 3 } }));
    await times(3, () => ({ method: 'HEAD', url: '/v1/account', headers }));
    const [before, began] = [api.accounts.lookUps, performance.now()];
    expect(await times(9, () => ({ url: '/v1/account', headers }))).toEqual(Array(9).fill(429));
    // What is remembered of a key is a second old at most.
    const seconds = (performance.now() - began) / 1_000;
    expect(api.accounts.lookUps - before).toBeLessThanOrEqual(1 + seconds);
  });

  it('is not used up by a key that was revoked', async () => {
    const account = api.account();
    const revoked = bearer(api.key(account, { rateLimit: SLOW, revoked: true }));
    const good = bearer(api.key(account, { rateLimit: SLOW }));
    expect(await times(70, () => ({ url: TRENDS, headers: revoked }))).toEqual(Array(70).fill(401));
    expect(left(await ask(api, { url: TRENDS, headers: good }))).toEqual([59, 59]);
  });
});

describe('an address without a valid key', () => {
  it('is refused beyond 100 requests a second, and no other address', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': `1.1.1.1, ${address}` });
    const asked = { url: '/v1/account', headers: from('192.0.2.1') };
    const statuses = await times(BURST + 100, () => asked);
    expect(statuses).toEqual([...Array(BURST).fill(401), ...Array(100).fill(429)]);
    const refused = await ask(api, asked);
    expect(refused.header('ratelimit-policy')).toBe('"address";q=200;w=2');
    expect(refused.header('retry-after')).toBe('1');
    now = 1_000;
    const later = await times(101, () => asked);
    expect(later).toEqual([...Array(100).fill(401), 429]);
    const other = await ask(api, { url: '/v1/account', headers: from('192.0.2.2') });
    expect(other.status).toBe(401);
  });

  it('counts what is open to everybody and what is nowhere, but never health', async () => {
    await times(BURST, () => ({ url: '/problems' }));
    const open = ['/docs', '/openapi.json', '/problems/not-found', '/nowhere', '/v1/account'];
    const limited = await Promise.all(open.map((url) => api.app.inject({ ...PLAIN, url })));
    expect(limited.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(429));
    const health = ['/healthz', '/readyz'].map((url) => api.app.inject({ ...PLAIN, url }));
    expect((await Promise.all(health)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  });

  it('has few long pages at once, and many where they are compressed', async () => {
    const passed = async (headers: Record<string, string>): Promise<number> => {
      const statuses = await times(BURST, () => ({ url: '/docs', headers }));
      return statuses.filter((status) => status === 200).length;
    };
    const whole = await passed({ 'x-forwarded-for': '192.0.2.1', 'accept-encoding': 'identity' });
    expect(whole).toBeGreaterThan(1);
    expect(whole).toBeLessThan(BURST / 5);
    const many = await passed({ 'x-forwarded-for': '192.0.2.2', 'accept-encoding': 'br' });
    expect(many).toBeGreaterThanOrEqual(BURST / 2);
    expect(many).toBeGreaterThan(4 * whole);
  });

  it('has no key looked up whose check digits are wrong', async () => {
    const wrong = (index: number) => {
      const { authorization } = unknownKey(index);
      return { url: TRENDS, headers: { authorization: authorization.replace(/.$/, '-') } };
    };
    await times(BURST + 50, wrong);
    expect(api.accounts.lookUps).toBe(0);
  });

  it('has at most so many unknown keys looked up, each of them once', async () => {
    const statuses = await times(20, () => ({ url: TRENDS, headers: unknownKey(0) }));
    expect([statuses, api.accounts.lookUps]).toEqual([Array(20).fill(401), 1]);
    const many = await times(BURST + 50, (index) => ({ url: TRENDS, headers: unknownKey(index) }));
    expect(many.filter((status) => status === 401).length).toBeLessThanOrEqual(BURST);
    expect(api.accounts.lookUps).toBeLessThanOrEqual(BURST);
  });

  it('has no more unknown keys looked up when they come all at once', async () => {
    const asked = Array.from({ length: 1_000 }, (_, index) =>
      api.app.inject({ ...PLAIN, headers: unknownKey(index) }),
    );
    const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    // Each of the three places may be one ahead.
    expect(api.accounts.lookUps).toBeLessThanOrEqual(BURST + 3);
  });

  it('does not keep a customer out who called from there before', async () => {
    const headers = bearer(api.key(api.account()));
    const beforehand = await ask(api, { url: '/v1/account', headers });
    expect(beforehand.status).toBe(200);
    await times(BURST + 50, (index) => ({ url: TRENDS, headers: unknownKey(index) }));
    expect(await times(20, () => ({ url: TRENDS, headers }))).toEqual(Array(20).fill(200));
    expect(await times(20, () => ({ url: '/v1/account', headers }))).toEqual(Array(20).fill(200));
  });

  it('that looks up many new keys of customers at a time has none refused', async () => {
    const keys = Array.from({ length: 500 }, () => bearer(api.key(api.account())));
    const asked = keys.map((headers) => api.app.inject({ ...PLAIN, headers }));
    const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode);
    expect(statuses).toEqual(Array(500).fill(200));
  });
});
