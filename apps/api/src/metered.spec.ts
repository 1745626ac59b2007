import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { newCaller } from '../test-adapters/caller.js';
import { SERUM } from '../test-adapters/memory-releases.js';
import { createTestApi, type TestApi } from '../test-adapters/test-api.js';

const PATH = '/v1/latest/cat2/trends/top5/popindex/us/skincare';
const KEY = PATH.replace('latest', '2026w47');
const LARGE = PATH.replace('top5', 'all');

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.app.close());

function caller(...account: Parameters<TestApi['account']>) {
  return newCaller(api, PATH, ...account);
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
    expect(await account.balance()).toBe(955);
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

  it('of a test account before the first release was the same since that window', async () => {
    const { get } = caller(1_000_000, { testClock: api.clock.now() });
    const early = await get(PATH.replace('latest', '2026w40'));
    expect(early.headers).toMatchObject({
      'data-release': 'r1',
      'data-unchanged-since': '2026w40',
    });
  });

  it('has no balance where the account has no limit', async () => {
    const { get } = caller(0, { overdraft: null });
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
    expect(await account.balance()).toBe(40);
  });

  it('says in a free quote what a call would say of the data, so that nothing old is paid', async () => {
    const { account, get, head } = caller(1000);
    const [quoted, sold] = [await head(), await get()];
    const again = await head(PATH, { 'if-none-match': sold.header('etag') ?? '' });
    const names = ['data-release', 'data-through', 'data-unchanged-since', 'etag'];
    const said = [quoted, again, sold].map((one) => names.map((name) => one.header(name)));
    expect(said).toEqual([said[2], said[2], said[2]]);
    expect(said[0]).not.toContain(undefined);
    expect([again.status, await account.balance()]).toEqual([304, 965]);
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
    expect((await account.calls())[0]?.call.tags).toEqual({ team: 'nails', project: 'autumn' });
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
    expect(await account.balance()).toBe(1_000_000 - 35 - 30);
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
    expect(text).toMatch(/,"call_cost":10,"data_cost":25\}\}\n$/);
  });
});
