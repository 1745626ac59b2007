import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { gracefulClose } from '#web/server/graceful-close.js';
import { GARBAGE } from '../test-adapters/garbage.js';
import { expectMatchesOpenApi } from '../test-adapters/seen.js';
import type { TestAccount } from '../test-adapters/test-accounts.js';
import { bearer, createTestApi, type TestApi } from '../test-adapters/test-api.js';

const PATH = '/v1/latest/cat2/trends/top5/popindex/us/skincare';

interface Parsed {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

let api: TestApi;
let port: number;
let account: TestAccount;
let authorization: string;

async function listen({ app }: TestApi): Promise<number> {
  await app.listen(0, '127.0.0.1');
  return (app.getHttpServer().address() as AddressInfo).port;
}

beforeAll(async () => {
  api = await createTestApi({ configuration: { trustProxy: [] } });
  port = await listen(api);
  account = api.account();
  ({ authorization } = bearer(api.key(account)));
});
afterAll(() => gracefulClose(api.app, 1000));

/** Sends bytes in parts and reads until the other side closes. */
function exchange(...parts: (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    for (const part of parts) socket.write(part);
  });
}

/** Reads the answers of a connection one after another by their Content-Length. */
function answersIn(text: string): Parsed[] {
  const answers: Parsed[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const length = Number(headers['content-length'] ?? 0);
    answers.push({
      status: Number(first.split(' ')[1]),
      headers,
      body: rest.slice(end + 4, end + 4 + length),
    });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

function get(path: string, more = '', close = true): string {
  const end = close ? 'connection: close\r\n' : '';
  return `GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: ${authorization}\r\n${more}${end}\r\n`;
}

async function only(...parts: (string | Buffer)[]): Promise<Parsed> {
  const answers = answersIn(await exchange(...parts));
  expect(answers).toHaveLength(1);
  return answers[0] as Parsed;
}

function expectProblem(answer: Parsed, status: number, code: string, url = '/garbage'): void {
  expect([answer.status, (JSON.parse(answer.body) as { code: string }).code]).toEqual([
    status,
    code,
  ]);
  expectMatchesOpenApi({ method: 'GET', url, ...answer });
  const asked = api.charging.requests.filter(({ accountId }) => accountId === account.id);
  expect(asked).toEqual([]);
  expect(api.log).toEqual([]);
}

describe('garbage on the socket', () => {
  it.each(GARBAGE)('%s is 400', async (_what, bytes) => {
    expectProblem(await only(bytes), 400, 'invalid-parameter');
  });

  it('a chunk that is none ends the request with 400', async () => {
    const start = `POST /v1/quotes HTTP/1.1\r\nhost: a\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\n`;
    const answers = answersIn(await exchange(`${start}transfer-encoding: chunked\r\n\r\nzz\r\n`));
    expectProblem(answers[0] as Parsed, 400, 'invalid-parameter');
  });

  it('headers without end are 431, an address without end is 414', async () => {
    const large = await only(`GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`);
    expectProblem(large, 431, 'headers-too-large');
    const many = Array.from({ length: 2000 }, (_, n) => `x-${n}: ${'y'.repeat(20)}\r\n`).join('');
    expectProblem(await only(`GET / HTTP/1.1\r\nhost: a\r\n${many}\r\n`), 431, 'headers-too-large');
    expectProblem(await only(`GET /${'x'.repeat(40_000)} HTTP/1.1\r\n\r\n`), 414, 'uri-too-long');
    expectProblem(await only(get(`${PATH}${'x'.repeat(9000)}`)), 414, 'uri-too-long');
  });

  it('headers and bodies that do not arrive are 408', async () => {
    const [usual, times] = [port, { headersTimeoutMs: 300, requestTimeoutMs: 600 }];
    const hasty = await createTestApi({ configuration: { trustProxy: [], ...times } });
    const { authorization: key } = bearer(hasty.key(hasty.account()));
    port = await listen(hasty);
    const begun = `POST /v1/quotes HTTP/1.1\r\nhost: a\r\nauthorization: ${key}\r\n`;
    for (const rest of ['', 'content-type: application/json\r\ncontent-length: 50\r\n\r\n{"urls":'])
      expectProblem(await only(begun + rest), 408, 'timeout');
    await gracefulClose(hasty.app, 1_000);
    port = usual;
  });

  it.each([
    ['CONNECT', 'CONNECT a:443 HTTP/1.1'],
    ['a method that nobody knows', 'FETCH / HTTP/1.1'],
    ['one that begins like another', 'GETS / HTTP/1.1'],
    ['one in small letters', 'get / HTTP/1.1'],
  ])('%s is no method of this server', async (_what, line) => {
    const answer = await only(`${line}\r\nhost: a\r\n\r\n`);
    expectProblem(answer, 405, 'method-not-allowed');
    expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS, POST');
  });

  it('OPTIONS * lists the methods', async () => {
    const answer = await only('OPTIONS * HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    expect([answer.status, answer.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
    expect(answer.headers['request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['a dot segment as a value', 400, 'invalid-parameter', PATH.replace('/us/', '/../')],
    ['dot segments that would lead somewhere', 404, 'not-found', '/v1/x/../latest/cat2'],
    ['escaped dot segments', 400, 'invalid-parameter', '/v1/%2e%2e/%2e%2e'],
    ['an escape cut off', 400, 'invalid-parameter', `${PATH}%`],
    ['bytes beyond ASCII', 400, 'invalid-parameter', PATH.replace('skincare', 'soin\u00e9')],
    ['a fragment', 400, 'invalid-parameter', `${PATH}#top`],
    ['two slashes', 404, 'not-found', `/${PATH}`],
  ])('%s is taken as sent: %i %s', async (_what, status, code, path) => {
    expectProblem(await only(get(path)), status, code);
  });

  it('two Authorization headers are no key', async () => {
    const answer = await only(get(PATH, `Authorization: ${authorization}\r\n`));
    expectProblem(answer, 401, 'invalid-key');
  });

  it('an unknown expectation is passed over', async () => {
    const answer = await only(get('/healthz', 'expect: something\r\n'));
    expect(answer.status).toBe(200);
  });
});

describe('calls behind each other on one connection', () => {
  let own: TestAccount;
  let call: string;
  beforeEach(() => {
    own = api.account();
    call = get(PATH, '', false).replace(authorization, bearer(api.key(own)).authorization);
  });

  const statuses = async (...parts: (string | Buffer)[]): Promise<number[]> =>
    answersIn(await exchange(...parts)).map(({ status }) => status);

  it('are not made behind one that ends the connection', async () => {
    const last = call.replace('host: a', 'host: a\r\nconnection: close');
    expect(await statuses(last + call + call)).toEqual([200]);
    expect(await own.calls()).toHaveLength(1);
  });

  it('are answered behind a body that is wrong and whole', async () => {
    const quote = get('/v1/quotes', 'content-type: application/json\r\n', false).replace(
      'GET',
      'POST',
    );
    const wrong = quote.replace('host: a', 'host: a\r\ncontent-length: 3');
    const close = call.replace('host: a', 'host: a\r\nconnection: close');
    expect(await statuses(`${wrong}{x}${close}`)).toEqual([400, 200]);
    expect(await own.calls()).toHaveLength(1);
  });

  it('are answered before the refusal of a CONNECT', async () => {
    const tunnel = 'CONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\n';
    expect(await statuses(call + call + tunnel)).toEqual([200, 200, 405]);
  });

  it('are each asked for a body in its turn', async () => {
    const held = call.replace('host: a', 'host: a\r\nexpect: 100-continue\r\nconnection: close');
    const text = await exchange(call + held);
    expect(text).toMatch(/^HTTP\/1.1 200 OK[^]+}}\nHTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/);
  });

  it('cost nothing when their own body breaks off', async () => {
    const chunks = call.replace('host: a', 'host: a\r\ntransfer-encoding: chunked');
    expect(await statuses(`${call}${chunks}zz\r\n`)).toEqual([200, 400]);
    expect(await own.calls()).toHaveLength(1);
  });
});

describe('a connection', () => {
  it('that is reset after a CONNECT harms nobody', async () => {
    for (let round = 0; round < 20; round += 1) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1').on('close', () => resolve());
        socket.on('error', () => undefined);
        socket.write('CONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\n', () => socket.resetAndDestroy());
      });
    }
    expect((await only(get('/healthz'))).status).toBe(200);
  });

  it('takes an address of a free resource in one spelling only', async () => {
    expectProblem(await only(get('/v1/acc%6funt')), 400, 'invalid-parameter', '/v1/acc%6funt');
    expectProblem(await only(get('/v1/account#top')), 404, 'not-found', '/garbage');
  });

  it('serves pipelined calls in their order, and garbage behind them after their answers', async () => {
    const own = api.account();
    const { authorization: key } = bearer(api.key(own));
    const call = get(PATH, '', false).replace(authorization, key);
    const answers = answersIn(await exchange(call + call + call, 'nonsense\r\n\r\n'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400]);
    // Calls of one connection are decided side by side; only their answers are in its order.
    const used = answers.slice(0, 3).map(({ headers }) => Number(headers['credits-used']));
    expect(used.toSorted((one, two) => one - two)).toEqual([10, 10, 35]);
    expect(await own.calls()).toHaveLength(3);
    expect(new Set(answers.map(({ headers }) => headers['request-id'])).size).toBe(4);
  });

  it('takes a path behind a proxy in the absolute form', async () => {
    const own = api.account();
    const { authorization: key } = bearer(api.key(own));
    const answer = await only(get(`http://api.test${PATH}`).replace(authorization, key));
    expect([answer.status, (await own.calls()).length]).toEqual([200, 1]);
  });

  it('of HTTP/1.0 needs no Host', async () => {
    const answer = await only(`GET /healthz HTTP/1.0\r\n\r\n`);
    expect(answer.status).toBe(200);
  });

  it('answers HEAD without a body, refused or not', async () => {
    const head = (path: string): string => get(path).replace('GET', 'HEAD');
    const quoted = await exchange(head(PATH));
    expect(quoted).toMatch(/^HTTP\/1.1 200 OK[\s\S]*\r\n\r\n$/);
    expect(await exchange(head(`${PATH}/`))).toMatch(/^HTTP\/1.1 404 [\s\S]*\r\n\r\n$/);
  });
});

describe('a stop', () => {
  it('answers what is under way, closes its connection and takes nothing new', async () => {
    const own = await createTestApi();
    const ownPort = await listen(own);
    const headers = bearer(own.key(own.account()));
    let go = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (go = resolve));
    const real = own.charging.charge.bind(own.charging);
    let asked = (): void => undefined;
    const began = new Promise<void>((resolve) => (asked = resolve));
    own.charging.charge = async (request) => {
      asked();
      await waiting;
      return real(request);
    };
    const answering = fetch(`http://127.0.0.1:${ownPort}${PATH}`, { headers });
    await began;
    const closing = gracefulClose(own.app, 5000);
    go();
    const answer = await answering;
    expect([answer.status, (await answer.json()) !== null]).toEqual([200, true]);
    await closing;
    await expect(fetch(`http://127.0.0.1:${ownPort}/healthz`)).rejects.toThrow();
  });
});

test.each([
  ['an answer', PATH, 200],
  ['a refusal of the path', '/v1/latest/cat2/trends/top5/popindex/xx/skincare', 400],
  ['a refusal of the week', '/v1/2099w01/cat2/trends/top5/popindex/us/skincare', 404],
])('%s writes the names of its headers in one way', async (_what, path, status) => {
  const text = await exchange(get(path));
  const [first = '', ...lines] = text.slice(0, text.indexOf('\r\n\r\n')).split('\r\n');
  expect(Number(first.split(' ')[1])).toBe(status);
  const names = lines.map((line) => line.slice(0, line.indexOf(':')));
  expect(names).toContain('RateLimit');
  const isCapital = (name: string) => name.split('-').every((part) => /^[A-Z]/.test(part));
  expect(names.filter((name) => !isCapital(name))).toEqual([]);
});
