import type { AddressInfo } from 'node:net';
import { gracefulClose } from '#web/server/graceful-close.js';
import { BASE_URL, bearer, createTestApi, type TestApi } from '../test-adapters/test-api.js';
import { apiDocument } from './openapi/api-document.js';

const PATH = '/v1/latest/cat2/trends/top5/popindex/us/skincare';
const PAGE = 'https://app.example.com';
const STRANGER = 'https://evil.example';

let api: TestApi;
let base: string;

beforeAll(async () => {
  api = await createTestApi({ configuration: { corsOrigins: [PAGE] }, rateClock: () => 0 });
  await api.app.listen(0, '127.0.0.1');
  base = `http://127.0.0.1:${(api.app.getHttpServer().address() as AddressInfo).port}`;
});
afterAll(() => gracefulClose(api.app, 1000));

function keyOf(credits?: number, rateLimit?: { perSecond: number; burst: number }) {
  return bearer(api.key(api.account(credits), rateLimit && { rateLimit }));
}

/** As a browser sends it for a page. */
async function from(origin: string, path: string, headers = {}, method = 'GET') {
  const { status, headers: sent } = await fetch(`${base}${path}`, {
    method,
    headers: { ...headers, origin },
  });
  return { status, sent, allowed: sent.get('access-control-allow-origin') };
}

function preflight(origin: string, path: string) {
  const asked = {
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization,credits-max',
  };
  return from(origin, path, asked, 'OPTIONS');
}

describe('a page of an origin that is allowed', () => {
  it.each([PATH, '/v1/quotes', '/v1/account'])('may ask for %s with a key', async (path) => {
    const { status, sent, allowed } = await preflight(PAGE, path);
    expect([status, allowed, sent.get('vary')]).toEqual([204, PAGE, 'Origin']);
    expect(sent.get('access-control-allow-methods')).toContain('GET');
    expect(sent.get('access-control-allow-headers')).toMatch(/Authorization.*Credits-Max/);
    expect(sent.has('access-control-allow-credentials')).toBe(false);
  });

  it('may send every header that the API reads, and those that tracing adds', async () => {
    const { sent } = await preflight(PAGE, PATH);
    const allowed = (sent.get('access-control-allow-headers') ?? '').toLowerCase().split(', ');
    const documented = JSON.stringify(apiDocument(BASE_URL)).matchAll(
      /"name":"([\w-]+)","in":"header"/g,
    );
    const read = [...documented].map(([, name = '']) => name.toLowerCase());
    expect(read).toEqual(expect.arrayContaining(['idempotency-key', 'credits-max', 'prefer']));
    const general = ['accept', 'authorization', 'content-type', 'if-match', 'last-event-id'];
    const tracing = ['traceparent', 'tracestate', 'baggage', 'sentry-trace', '*'];
    expect(allowed).toEqual(expect.arrayContaining([...read, ...general, ...tracing]));
  });

  it('reads a metered answer with its headers', async () => {
    const { status, sent, allowed } = await from(PAGE, PATH, keyOf());
    expect([status, allowed]).toEqual([200, PAGE]);
    expect(sent.get('access-control-expose-headers')).toBe('*');
    expect(sent.get('vary')).toMatch(/Origin/);
    expect(sent.get('vary')).toMatch(/Accept-Encoding/i);
    expect(sent.get('credits-used')).toBe('35');
  });

  it('reads why it was refused', async () => {
    const limited = keyOf(1_000, { perSecond: 0.001, burst: 1 });
    await from(PAGE, PATH, limited);
    const refusals = [
      await from(PAGE, PATH),
      await from(PAGE, PATH, { authorization: 'Bearer pix_live_none' }),
      await from(PAGE, PATH, keyOf(20)),
      await from(PAGE, PATH, { ...keyOf(), 'credits-max': '1' }),
      await from(PAGE, PATH, limited),
      await from(PAGE, '/v1/nowhere', keyOf()),
    ];
    expect(refusals.map(({ status, allowed }) => [status, allowed])).toEqual(
      [401, 401, 402, 412, 429, 404].map((status) => [status, PAGE]),
    );
    for (const { sent } of refusals) expect(sent.get('access-control-expose-headers')).toBe('*');
  });
});

test('a page of another origin may read nothing but the documents', async () => {
  expect((await preflight(STRANGER, PATH)).allowed).toBeNull();
  expect((await from(STRANGER, PATH, keyOf())).allowed).toBeNull();
  expect((await from(STRANGER, PATH)).allowed).toBeNull();
  expect((await from(STRANGER, '/openapi.json')).allowed).toBe('*');
});

test('nothing of it is sent to whoever is no page', async () => {
  const { headers } = await fetch(`${base}${PATH}`, { headers: keyOf() });
  expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});
