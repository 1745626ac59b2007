import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { gracefulClose } from '#web/server/graceful-close.js';
import { AnonymousRates } from '#web/rates/anonymous-rates.js';
import { expectMatchesOpenApi } from '../../test-adapters/seen.js';
import { bearer, createTestApi, type TestApi } from '../../test-adapters/test-api.js';

const TRENDS = '/v1/latest/cat2/trends/top5/popindex/us/skincare';
/** Requests of an address without a valid key that pass at once. */
const BURST = 200;

let api: TestApi;
let port: number;
beforeEach(async () => {
  api = await createTestApi({ configuration: { trustProxy: [] }, rateClock: () => 0 });
  await api.app.listen(0, '127.0.0.1');
  port = (api.app.getHttpServer().address() as AddressInfo).port;
});
afterEach(() => gracefulClose(api.app, 1000));

/** All answers of one connection to requests sent at once, until the other side closes. */
async function send(requests: readonly string[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let heard = '';
  socket.on('data', (text: string) => (heard += text));
  socket.write(requests.join(''));
  await once(socket, 'close');
  return heard.split(/(?=HTTP\/1\.1 \d)/).filter((text) => text !== '');
}

function get(path: string, ...headers: string[]): string {
  return [`GET ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
}

function statusOf(answer: string): number {
  return Number(answer.slice(9, 12));
}

function headersOf(answer: string): Record<string, string> {
  const lines = answer.slice(0, answer.indexOf('\r\n\r\n')).split('\r\n').slice(1);
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)];
    }),
  );
}

it.each(['/v1/account', '/nowhere', TRENDS])(
  'beyond the limit of its address a stranger at %s hears 429, and its connection ends',
  async (path) => {
    const answers = await send(Array.from({ length: BURST + 50 }, () => get(path)));
    const last = answers.at(-1) ?? '';
    expect(answers.map(statusOf).filter((status) => status === 429)).toEqual([429]);
    expect(answers).toHaveLength(BURST + 1);
    const headers = headersOf(last);
    expect(headers).toMatchObject({
      connection: 'close',
      'retry-after': '1',
      'ratelimit-policy': '"address";q=200;w=2',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const body = last.slice(last.indexOf('\r\n\r\n') + 4);
    expect(JSON.parse(body)).toMatchObject({
      code: 'rate-limited',
      instance: `urn:uuid:${headers['request-id'] ?? ''}`,
    });
    if (path === '/v1/account') {
      expectMatchesOpenApi({ method: 'GET', url: path, status: 429, headers, body });
    }
  },
);

it('a long answer counts as several requests, also of those sent at once', async () => {
  const statuses = (await send(Array.from({ length: 50 }, () => get('/docs')))).map(statusOf);
  expect(statuses.slice(0, -1)).toEqual(Array.from(statuses.slice(1), () => 200));
  expect(statuses.at(-1)).toBe(429);
  expect(statuses.length).toBeLessThan(50);
});

it('a customer who called before is served from an address beyond its limit', async () => {
  const { authorization } = bearer(api.key(api.account()));
  const mine = [`Authorization: ${authorization}`, 'Connection: close'];
  expect((await send([get('/v1/account', ...mine)])).map(statusOf)).toEqual([200]);
  await send(Array.from({ length: BURST + 50 }, () => get('/v1/account')));
  expect((await send([get('/v1/account', ...mine)])).map(statusOf)).toEqual([200]);
  expect((await send([get(TRENDS, ...mine)])).map(statusOf)).toEqual([200]);
  expect((await send([get('/healthz', 'Connection: close')])).map(statusOf)).toEqual([200]);
});

it('of an address that presses only the first request of a connection is read', async () => {
  await send(Array.from({ length: BURST + 50 }, () => get('/docs')));
  let read = 0;
  api.app.getHttpServer().prependListener('request', () => (read += 1));
  const answers = await send(Array.from({ length: 300 }, () => get('/docs')));
  expect(answers.map(statusOf)).toEqual([429]);
  expect(read).toBe(1);
});

it('a customer at an address that presses is answered all that he sends at once', async () => {
  const { authorization } = bearer(api.key(api.account()));
  const mine = [`Authorization: ${authorization}`];
  expect((await send([get(TRENDS, ...mine, 'Connection: close')])).map(statusOf)).toEqual([200]);
  await send(Array.from({ length: BURST + 50 }, () => get('/docs')));
  const calls = Array.from({ length: 50 }, () => get(TRENDS, ...mine));
  const answers = await send([...calls, get(TRENDS, ...mine, 'Connection: close')]);
  expect(answers.map(statusOf)).toEqual(Array.from({ length: 51 }, () => 200));
});

it.each(['/nowhere', '/v1/account', TRENDS])(
  'who goes on asking at %s waits for the refusal',
  async (path) => {
    const waited = jest.spyOn(AnonymousRates.prototype, 'rejectAfterMs').mockReturnValue(300);
    await send(Array.from({ length: BURST + 50 }, () => get('/nowhere')));
    const began = performance.now();
    expect((await send([get(path)])).map(statusOf)).toEqual([429]);
    expect(performance.now() - began).toBeGreaterThan(250);
    waited.mockRestore();
  },
);

it('a stranger below a door hears 401 as everywhere, and goes on with the connection', async () => {
  const answers = await send([
    get('/v1/account'),
    get('/v1/account', 'Authorization: Bearer nonsense'),
    get('/v1/account/nowhere'),
    'GET /v1/account HTTP/1.1\r\n\r\n',
    get('/v1/account', 'Connection: close'),
  ]);
  expect(answers.map(statusOf)).toEqual([401, 401, 404, 400, 401]);
  const headers = headersOf(answers[1] ?? '');
  expect(headers).toMatchObject({ 'www-authenticate': expect.stringContaining('Bearer') });
  const body = (answers[1] ?? '').slice((answers[1] ?? '').indexOf('\r\n\r\n') + 4);
  expect(JSON.parse(body)).toMatchObject({ code: 'invalid-key' });
});
