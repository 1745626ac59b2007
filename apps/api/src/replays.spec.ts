import { newCaller } from '../test-adapters/caller.js';
import { ask } from '../test-adapters/seen.js';
import { createTestApi, type TestApi } from '../test-adapters/test-api.js';

const PATH = '/v1/latest/cat2/trends/top5/popindex/us/skincare';
const KEY = PATH.replace('latest', '2026w47');

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

function caller(credits = 1_000_000, from = api) {
  return newCaller(from, PATH, credits);
}

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
    expect(await account.balance()).toBe(965);
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

  it('confirms again what it has confirmed, and sends the data where there was no validator', async () => {
    const { account, get } = caller();
    const tag = (await get()).header('etag') ?? '';
    const asked = { 'idempotency-key': 'one', 'if-none-match': tag };
    const first = await get(PATH, asked);
    const again = await get(PATH, asked);
    expect([first.status, again.status, again.body]).toEqual([304, 304, '']);
    expect(again.headers).toMatchObject({
      'call-id': first.header('call-id'),
      'idempotent-replayed': 'true',
    });
    expect((await get(PATH, { 'idempotency-key': 'one' })).status).toBe(200);
    const base = { 'idempotency-key': 'two', 'if-none-match': '*' };
    const other = PATH.replace('/us/', '/gb/');
    expect([(await get(other, base)).status, (await get(other, base)).status]).toEqual([200, 200]);
    expect(await account.calls()).toHaveLength(3);
  });

  it('is not used up by a refusal', async () => {
    const { account, get } = caller(0);
    const key = { 'idempotency-key': 'one' };
    expect((await get(PATH, key)).status).toBe(402);
    await account.grant(100);
    expect((await get(PATH, key)).header('idempotent-replayed')).toBeUndefined();
    expect(await account.balance()).toBe(65);
  });
});

describe('a HEAD', () => {
  it('returns the price and charges nothing', async () => {
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
    expect(quote.header('data-unchanged-since')).toBe('2026w47');
    expect(await account.calls()).toEqual([]);
    await get();
    expect((await head()).headers).toMatchObject({
      'credits-estimate': '10',
      'credits-kind': 'repeat',
    });
  });

  it('has the status that GET would have', async () => {
    const { get, head } = caller();
    for (const [url, headers, status] of [
      [PATH, { 'credits-max': '34' }, 412],
      [PATH.replace('/us/', '/xx/'), {}, 400],
      [PATH.replace('skincare', 'none'), {}, 404],
      [PATH, { accept: 'text/html' }, 406],
    ] as const) {
      expect((await head(url, headers)).status).toBe(status);
      expect((await get(url, headers)).status).toBe(status);
    }
    const refused = await caller(34).head();
    expect([refused.status, refused.header('credits-estimate')]).toEqual([402, '35']);
    expect((await ask(api, { method: 'HEAD', url: PATH })).status).toBe(401);
  });

  it('under an idempotency key that was used returns the status of GET', async () => {
    const own = await newApi();
    const { account, get, head } = caller(1000, own);
    const key = { 'idempotency-key': 'one' };
    expect((await head(PATH, key)).headers).toMatchObject({ 'credits-estimate': '35' });
    const first = await get(PATH, key);
    const replay = await head(PATH, key);
    expect([replay.status, replay.body]).toEqual([200, '']);
    expect(replay.headers).toMatchObject({
      'call-id': first.header('call-id'),
      'credits-estimate': '0',
      'credits-kind': 'base',
      'credits-window': '2026w47',
      'idempotent-replayed': 'true',
      'cache-control': 'no-store',
    });
    expect((await head(KEY, key)).status).toBe(422);
    own.clock.time += 600_001;
    expect((await head(PATH, key)).status).toBe(409);
    expect(await account.calls()).toHaveLength(1);
  });

  it('is confirmed where GET would be', async () => {
    const { get, head } = caller();
    const tag = (await get()).header('etag') ?? '';
    expect((await head(PATH, { 'if-none-match': tag })).status).toBe(304);
  });
});
