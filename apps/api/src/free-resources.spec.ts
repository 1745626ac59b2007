import { parse } from 'csv-parse/sync';
import { PROBLEMS } from '#web/problem.js';
import { SERUM } from '../test-adapters/memory-releases.js';
import { ask, type CheckedAnswer } from '../test-adapters/seen.js';
import type { NewAccount } from '../test-adapters/test-accounts.js';
import { bearer, createTestApi, type TestApi } from '../test-adapters/test-api.js';
import { VERSION } from '#web/version.js';

const TRENDS = '/v1/latest/cat2/trends/top5/popindex/us/skincare';
const SERIES = `/v1/latest/cat5/timeseries/popindex/us/${SERUM}`;
const CSV = { accept: 'text/csv' };

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi({ reads: true });
});
afterAll(() => api.close());

function caller(credits = 1_000_000, changes: NewAccount = {}) {
  const account = api.account(credits, changes);
  const headers = bearer(api.key(account));
  const get = (url: string, more: Record<string, string> = {}): Promise<CheckedAnswer> =>
    ask(api, { url, headers: { ...headers, ...more } });
  const quote = (
    urls: readonly string[],
    more: Record<string, string> = {},
  ): Promise<CheckedAnswer> =>
    ask(api, {
      method: 'POST',
      url: '/v1/quotes',
      headers: { ...headers, ...more },
      payload: { urls },
    });
  return { account, headers, get, quote };
}

describe('a quote', () => {
  it('prices calls as if they were made in their order, and charges nothing', async () => {
    const { account, get, quote } = caller();
    const urls = [TRENDS, `http://api.test${TRENDS}`, TRENDS.replace('latest', '2026w47'), SERIES];
    const quoted = (await quote(urls)).json() as { items: object[] };
    expect(quoted).toMatchObject({
      total_credits: 35 + 10 + 10 + 1760,
      affordable: true,
      next: null,
    });
    expect(quoted.items[1]).toEqual({
      url: `http://api.test${TRENDS}`,
      key: TRENDS.replace('latest', '2026w47'),
      kind: 'repeat',
      call_cost: 10,
      data_cost: 0,
      credits: 10,
      rule: 'top 5',
      window: '2026w47',
      window_ends_at: '2026-11-24T00:00:00Z',
      next_window_credits: 10,
      problem: null,
    });
    expect(await account.calls()).toEqual([]);
    for (const url of urls) await get(url);
    expect(await account.balance()).toBe(1_000_000 - 1815);
  });

  it('gives a bad address its own problem and fails no other', async () => {
    const { quote } = caller();
    const bad = [
      'nonsense',
      TRENDS.replace('/us/', '/xx/'),
      `${TRENDS}?x=1`,
      TRENDS.replace('skincare', 'none'),
      TRENDS.replace('latest', '2027w01'),
    ];
    const { items, ...rest } = (await quote([...bad, TRENDS])).json() as {
      items: { problem: { code: string } | null }[];
    };
    expect(items.map(({ problem }) => problem?.code)).toEqual([
      'not-found',
      'invalid-parameter',
      'invalid-parameter',
      'unknown-item',
      'unknown-window',
      undefined,
    ]);
    expect(rest).toMatchObject({ total_credits: 35, shortfall_credits: 0, affordable: false });
    expect((await quote(bad)).json()).toMatchObject({ total_credits: 0, affordable: false });
  });

  it('sums what the account cannot afford, and reports what is missing', async () => {
    const { quote } = caller(50);
    const quoted = (await quote([TRENDS, SERIES, SERIES])).json();
    expect(quoted).toMatchObject({
      total_credits: 35 + 1760 + 10,
      shortfall_credits: 1755,
      affordable: false,
      items: [
        { problem: null },
        { credits: 1760, problem: { code: 'out-of-credits' } },
        { credits: 10, problem: { code: 'out-of-credits' } },
      ],
    });
  });

  it('takes addresses of this service alone: the public one, and that which is used', async () => {
    const { quote } = caller();
    const own = [`http://api.test${TRENDS}`, `HTTP://API.TEST:80${TRENDS}`, `http://me:1${TRENDS}`];
    const foreign = `https://elsewhere.example${TRENDS}`;
    const { items } = (await quote([...own, foreign], { host: 'me:1' })).json();
    expect(items).toMatchObject([
      { problem: null },
      { problem: null },
      { problem: null },
      {
        url: foreign,
        problem: {
          code: 'invalid-parameter',
          parameters: [
            { in: 'path', name: 'host', value: 'elsewhere.example', allowed: ['api.test', 'me:1'] },
          ],
        },
      },
    ]);
  });

  it('takes a thousand addresses, and comes as CSV', async () => {
    const { quote } = caller();
    const urls = Array.from({ length: 1000 }, () => TRENDS);
    expect((await quote(urls)).json()).toMatchObject({ total_credits: 35 + 999 * 10 });
    const rows = parse((await quote([TRENDS, 'x'], CSV)).body, { columns: true }) as object[];
    expect(rows).toMatchObject([
      { url: TRENDS, credits: '35', problem: '' },
      { url: 'x', credits: '', problem: 'not-found' },
    ]);
  });

  it('has the week of the account, wherever the clock of this process stands', async () => {
    const { quote } = caller(1000, { testClock: Date.parse('2026-12-01T00:00:00Z') });
    expect((await quote([TRENDS])).json()).toMatchObject({ items: [{ window: '2026w49' }] });
  });
});

describe('the account', () => {
  it('is read with its balance and window, and is never kept', async () => {
    const { account, get } = caller(1000);
    await get(TRENDS);
    const read = await get('/v1/account');
    expect(read.json()).toMatchObject({
      id: account.id,
      balance: 965,
      window: '2026w47',
      window_credits_used: 35,
    });
    expect(read.header('cache-control')).toBe('no-store');
  });

  it('lists the keys of a window', async () => {
    const { get } = caller();
    for (const url of [TRENDS, SERIES, TRENDS]) await get(url);
    const { items } = (await get('/v1/account/windows')).json() as { items: object[] };
    expect(items).toMatchObject([
      { key: TRENDS.replace('latest', '2026w47'), calls: 2, credits_used: 45 },
      { key: SERIES.replace('latest', '2026w47'), calls: 1, credits_used: 1760 },
    ]);
    expect((await get('/v1/account/windows?window=2026w46')).json()).toEqual({
      items: [],
      next: null,
    });
    const rows = parse((await get('/v1/account/windows?window=latest', CSV)).body, {
      columns: true,
    });
    expect(rows).toHaveLength(2);
  });

  it('lists its calls by every filter', async () => {
    const { account, headers, get } = caller();
    await get(TRENDS, { 'credits-tag': 'team=nails' });
    api.clock.time += 60_000;
    await get(TRENDS, { 'credits-tag': 'team=hair' });
    await get(SERIES);
    const other = api.key(account);
    const second = bearer(other);
    await ask(api, { url: SERIES, headers: second });
    const count = async (query: string): Promise<number> =>
      ((await get(`/v1/account/calls?${query}`)).json()['items'] as unknown[]).length;
    const from = new Date(api.clock.time).toISOString();
    expect(headers).not.toEqual(second);
    expect([
      await count(''),
      await count('kind=base'),
      await count('tag=team'),
      await count('tag=team=nails'),
      await count('tag=project'),
      await count(`resource_key=${encodeURIComponent(SERIES.replace('latest', '2026w47'))}`),
      await count(`api_key_id=${other.keyId.toUpperCase()}`),
      await count(`from=${from}`),
      await count(`to=${from}`),
      await count('from=2026-11-21&to=2026-11-22'),
      await count('from=2026-11-22'),
      await count('limit=3'),
    ]).toEqual([4, 2, 2, 1, 0, 2, 1, 3, 1, 4, 0, 3]);
    const newest = (await get('/v1/account/calls?order=desc')).json()['items'] as {
      call_id: string;
    }[];
    expect(newest[0]?.call_id).toBe((await account.calls())[3]?.callId);
  });

  it('lists its calls page by page, each once, in JSON and in CSV with a Link', async () => {
    const { account, get } = caller();
    for (let index = 0; index < 7; index += 1) await get(TRENDS);
    const seen: string[] = [];
    let next: string | null = '';
    while (next !== null) {
      const after: string = next === '' ? '' : `&after=${encodeURIComponent(next)}`;
      const page = (await get(`/v1/account/calls?limit=3${after}`)).json() as unknown as {
        items: { call_id: string }[];
        next: string | null;
      };
      seen.push(...page.items.map((call) => call.call_id));
      next = page.next;
    }
    expect(seen).toEqual((await account.calls()).map(({ callId }) => callId));
    const csv = await get('/v1/account/calls?limit=3', CSV);
    expect(csv.header('content-type')).toBe('text/csv; charset=utf-8; header=present');
    const link = /^<([^>]+)>; rel="next"$/.exec(csv.header('link') ?? '')?.[1] ?? '';
    const rows = parse((await get(link, CSV)).body, { columns: true }) as { call_id: string }[];
    expect(rows.map((row) => row.call_id)).toEqual(seen.slice(3, 6));
  });

  it('explains a call to its own holder only', async () => {
    const { get } = caller();
    const callId = (await get(TRENDS, { 'credits-tag': 'team=nails' })).header('call-id') ?? '';
    expect((await get(`/v1/calls/${callId.toUpperCase()}`)).json()).toMatchObject({
      call_id: callId,
      rule: 'top 5',
      rows: 5,
      tags: { team: 'nails' },
    });
    expect((await caller().get(`/v1/calls/${callId}`)).status).toBe(404);
  });

  it('answers HEAD like GET, without the body', async () => {
    const { headers } = caller();
    const answer = await ask(api, { method: 'HEAD', url: '/v1/account', headers });
    expect([answer.status, answer.body]).toEqual([200, '']);
    expect(Number(answer.header('content-length'))).toBeGreaterThan(100);
  });
});

describe('the service', () => {
  it('leads from its address alone to its document', async () => {
    const answer = await ask(api, { url: '/' });
    expect([answer.status, answer.header('location')]).toEqual([302, '/docs']);
  });

  it('lives, and says which part of it cannot serve', async () => {
    expect((await ask(api, { url: '/healthz' })).json()).toEqual({ alive: true, version: VERSION });
    expect((await ask(api, { url: '/readyz' })).status).toBe(200);
    api.readiness = { ready: false, parts: { ledger: { ready: false, detail: 'It is behind.' } } };
    const answer = await ask(api, { url: '/readyz' });
    expect([answer.status, answer.json()]).toEqual([503, api.readiness]);
    api.readiness = { ready: true, parts: {} };
  });

  it('has a page for each problem, which loads nothing', async () => {
    for (const slug of Object.keys(PROBLEMS)) {
      const page = await ask(api, { url: `/problems/${slug}` });
      expect([slug, page.status]).toEqual([slug, 200]);
      expect(page.header('content-type')).toBe('text/html; charset=utf-8');
      expect(page.header('content-security-policy')).toContain("default-src 'none'");
      for (const part of ['What it means', 'When it comes', 'What to do', 'Example']) {
        expect(page.body).toContain(`<h3>${part}</h3>`);
      }
      expect(page.body).toContain(`&quot;code&quot;: &quot;${slug}&quot;`);
    }
    expect((await ask(api, { url: '/problems' })).body).toContain('/problems/out-of-credits');
  });

  it.each(['/v1/account', '/v1/quotes', TRENDS, '/healthz'])(
    'lists the methods of %s',
    async (url) => {
      const answer = await ask(api, { method: 'OPTIONS', url });
      expect(answer.status).toBe(204);
      expect(answer.header('allow')).toBe(
        url === '/v1/quotes' ? 'OPTIONS, POST' : 'GET, HEAD, OPTIONS',
      );
    },
  );

  it('lists them for every other request too, with or without a key', async () => {
    const answer = await ask(api, { method: 'DELETE', url: TRENDS });
    expect([answer.status, answer.header('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
