import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { SERUM } from '../test-adapters/memory-releases.js';
import { ask } from '../test-adapters/seen.js';
import { bearer, createTestApi, type TestApi } from '../test-adapters/test-api.js';

const PATH = '/v1/latest/cat2/trends/top5/popindex/us/skincare';
const KEY = PATH.replace('latest', '2026w47');
const LARGE = PATH.replace('top5', 'all');

let api: TestApi;
const apis: TestApi[] = [];

async function newApi(...changes: Parameters<typeof createTestApi>): Promise<TestApi> {
  const made = await createTestApi(...changes);
  apis.push(made);
  return made;
}

beforeAll(async () => {
  api = await newApi();
});
afterAll(async () => {
  for (const one of apis) await one.app.close();
});

/** A new account with a key, and how to ask with it. */
function caller(credits = 1_000_000, from = api) {
  const account = from.account(credits);
  const headers = bearer(from.key(account));
  const get = (url = PATH, more: Record<string, string> = {}) =>
    ask(from, { url, headers: { ...headers, ...more } });
  const head = (url = PATH, more: Record<string, string> = {}) =>
    ask(from, { method: 'HEAD', url, headers: { ...headers, ...more } });
  return { account, headers, get, head };
}

describe('a metered call', () => {
  it('costs the base rate first and the repeat fee afterwards, and says so', async () => {
    const { account, get } = caller(1000);
    const first = await get();
    expect(first.json()).toMatchObject({
      key: KEY,
      credits_used: 35,
      data: { call_cost: 10, data_cost: 25 },
    });
    expect(first.headers).toMatchObject({
      'credits-used': '35',
      'credits-kind': 'base',
      'credits-balance': '965',
      'credits-window': '2026w47',
      'credits-window-ends': '2026-11-24T00:00:00Z',
      'data-release': 'r2',
      'data-through': '2026-10-01',
      'data-unchanged-since': '2026w47',
      'cache-control': 'private, max-age=216000',
      vary: 'Authorization, Accept-Encoding',
    });
    const second = await get();
    expect(second.json()).toMatchObject({
      credits_used: 10,
      data: { call_cost: 10, data_cost: 0 },
    });
    expect(second.headers).toMatchObject({ 'credits-kind': 'repeat', 'credits-balance': '955' });
    expect(second.header('etag')).toBe(first.header('etag'));
    expect(second.header('call-id')).not.toBe(first.header('call-id'));
    expect(account.balance).toBe(955);
  });

  it('has one key by whatever path it is asked, and the key is what is charged', async () => {
    const { get } = caller();
    const series = `/v1/latest/cat5/timeseries/popindex/us/${SERUM}`;
    const spellings = [
      PATH,
      PATH.replace('/latest', ''),
      KEY,
      `${PATH}?`,
      `http://api.test${PATH}`,
    ];
    const used: string[] = [];
    for (const url of spellings) used.push((await get(url)).header('credits-used') ?? '');
    expect(used).toEqual(['35', '10', '10', '10', '10']);
    expect((await get(series)).header('credits-used')).toBe('1760');
    expect((await get(series.replace(SERUM, SERUM.toUpperCase()))).json()).toMatchObject({
      key: series.replace('latest', '2026w47'),
      credits_used: 10,
    });
  });

  it('passes the path as sent on to who decides', async () => {
    const { get } = caller();
    for (const url of [PATH.replace('/latest', ''), `${KEY}?`]) await get(url);
    const asked = api.charging.requests.slice(-2).map((request) => request.asked);
    expect(asked).toEqual([PATH.replace('/latest', ''), KEY]);
  });

  it('of a past window is served from its release and kept for ever', async () => {
    const { get } = caller();
    const past = await get(PATH.replace('latest', '2026w46'));
    expect(past.headers).toMatchObject({
      'data-release': 'r1',
      'credits-window': '2026w47',
      'cache-control': 'private, max-age=31536000, immutable',
    });
    expect((await get(PATH.replace('latest', '2026w46'))).header('credits-used')).toBe('10');
  });

  it('has no balance where the account has no limit', async () => {
    const { account, get } = caller(0);
    account.overdraft = null;
    expect((await get()).header('credits-balance')).toBeUndefined();
  });

  it('is refused without charge when the credits do not cover it', async () => {
    const { account, get } = caller(40);
    const large = await get(LARGE);
    expect(large.status).toBe(402);
    expect(large.json()).toMatchObject({
      code: 'out-of-credits',
      required_credits: 10_000,
      balance: 40,
      available_credits: 40,
      kind: 'base',
    });
    expect(account.balance).toBe(40);
  });

  it('is refused above Credits-Max, and a ceiling of 10 lets repeats through', async () => {
    const { get } = caller();
    const refused = await get(PATH, { 'credits-max': '10' });
    expect(refused.json()).toMatchObject({ required_credits: 35, max_credits: 10, kind: 'base' });
    await get();
    expect((await get(PATH, { 'credits-max': '10' })).status).toBe(200);
  });

  it('keeps its tags', async () => {
    const { account, get } = caller();
    await get(PATH, { 'credits-tag': 'team=nails, project=autumn' });
    expect(account.calls[0]?.call.tags).toEqual({ team: 'nails', project: 'autumn' });
  });

  it('gives a decision ten seconds', async () => {
    const { get } = caller();
    await get();
    expect(api.charging.requests.at(-1)?.notAfter).toBe(api.clock.now() + 10_000);
  });
});

describe('a validator', () => {
  it('does not count for a first call, and is a repeat that is charged afterwards', async () => {
    const { account, get } = caller();
    const other = await caller().get();
    const tag = other.header('etag') ?? '';
    expect((await get(PATH, { 'if-none-match': tag })).status).toBe(200);
    const confirmed = await get(PATH, { 'if-none-match': `"x", ${tag.slice(2)}` });
    expect([confirmed.status, confirmed.body]).toEqual([304, '']);
    expect(confirmed.headers).toMatchObject({ 'credits-used': '10', etag: tag });
    expect((await get(PATH, { 'if-none-match': '*' })).status).toBe(304);
    expect((await get(PATH, { 'if-none-match': '"other"' })).status).toBe(200);
    expect(account.balance).toBe(1_000_000 - 35 - 30);
  });
});

describe('an idempotency key', () => {
  it('gets the first answer again without a charge, also when the week has turned', async () => {
    const own = await newApi();
    own.clock.time = Date.parse('2026-11-23T23:59:59Z');
    const { account, get } = caller(1000, own);
    const key = { 'idempotency-key': 'one' };
    const first = await get(PATH, key);
    own.clock.time += 2000;
    const again = await get(PATH, key);
    expect(again.body).toBe(first.body);
    expect(again.headers).toMatchObject({
      'call-id': first.header('call-id'),
      'credits-used': '35',
      'idempotent-replayed': 'true',
      'cache-control': 'no-store',
    });
    expect(account.balance).toBe(965);
    expect((await get()).json()['key']).toBe(PATH.replace('latest', '2026w48'));
  });

  it('makes the same call id in every process, and another for every account', async () => {
    const one = caller();
    const two = caller();
    const key = { 'idempotency-key': 'one' };
    const ids = [
      (await one.get(PATH, key)).header('call-id'),
      (await two.get(PATH, key)).header('call-id'),
    ];
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8/);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('is refused for another path and after its time', async () => {
    const own = await newApi();
    const { get } = caller(1000, own);
    const key = { 'idempotency-key': 'one' };
    const callId = (await get(PATH, key)).header('call-id');
    const conflict = await get(KEY, key);
    expect([conflict.status, conflict.json()['call_id']]).toEqual([422, callId]);
    own.clock.time += 600_001;
    const used = await get(PATH, key);
    expect([used.status, used.json()['code'], used.json()['call_id']]).toEqual([
      409,
      'idempotency-key-used',
      callId,
    ]);
  });

  it('is not used up by a refusal', async () => {
    const { account, get } = caller(0);
    const key = { 'idempotency-key': 'one' };
    expect((await get(PATH, key)).status).toBe(402);
    account.balance = 100;
    expect((await get(PATH, key)).header('idempotent-replayed')).toBeUndefined();
    expect(account.balance).toBe(65);
  });
});

describe('a HEAD', () => {
  it('tells the price and charges nothing', async () => {
    const { account, get, head } = caller();
    const quote = await head();
    expect(quote.status).toBe(200);
    expect(quote.headers).toMatchObject({
      'credits-estimate': '35',
      'credits-kind': 'base',
      'credits-window': '2026w47',
      'credits-window-ends': '2026-11-24T00:00:00Z',
      'cache-control': 'no-store',
    });
    expect(quote.header('etag')).toBeUndefined();
    expect(account.calls).toEqual([]);
    await get();
    expect((await head()).headers).toMatchObject({
      'credits-estimate': '10',
      'credits-kind': 'repeat',
    });
  });

  it('has the status that GET would have', async () => {
    const { account, get, head } = caller();
    for (const [url, headers, status] of [
      [PATH, { 'credits-max': '34' }, 412],
      [PATH.replace('/us/', '/xx/'), {}, 400],
      [PATH.replace('skincare', 'none'), {}, 404],
      [PATH, { accept: 'text/html' }, 406],
    ] as const) {
      expect((await head(url, headers)).status).toBe(status);
      expect((await get(url, headers)).status).toBe(status);
    }
    account.balance = 34;
    const refused = await head();
    expect([refused.status, refused.header('credits-estimate')]).toEqual([402, '35']);
    expect((await ask(api, { method: 'HEAD', url: PATH })).status).toBe(401);
  });

  it('is confirmed where GET would be', async () => {
    const { get, head } = caller();
    const tag = (await get()).header('etag') ?? '';
    expect((await head(PATH, { 'if-none-match': tag })).status).toBe(304);
  });
});

describe('a body', () => {
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('is sent in %s to who takes it, and is the same', async (coding, read) => {
    const { get } = caller();
    await get(LARGE);
    const plain = await get(LARGE);
    const packed = await get(LARGE, { 'accept-encoding': coding });
    expect(packed.header('content-encoding')).toBe(coding);
    expect(Number(packed.header('content-length'))).toBe(packed.raw.length);
    expect(packed.raw.length).toBeLessThan(plain.raw.length / 5);
    expect(read(packed.raw).toString()).toBe(plain.body);
  });

  it('is made of what the release says and of the charge, and of nothing else', async () => {
    const { get } = caller();
    const text = (await get()).body;
    expect(text).toMatch(/^\{"key":"\/v1\/2026w47\/[^"]+","credits_used":35,"data":\{"cat2_id":/);
    expect(text).toMatch(/,"call_cost":10,"data_cost":25\}\}$/);
  });
});
