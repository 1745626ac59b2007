import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { etagOf, headersOf } from './answer-headers.js';
import { Connection, type ConnectionSettings } from './connection.js';
import { ConnectionError, isProblem, ProblemError } from './problem-error.js';
import { freePort } from '../../../test/setup/free-port.js';

type Answering = (request: http.IncomingMessage, response: http.ServerResponse) => void;

const answers: Answering[] = [];
const received: http.IncomingMessage[] = [];
const server = http.createServer((request, response) => {
  received.push(request);
  request.resume().on('end', () => answers.shift()?.(request, response));
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
beforeEach(() => {
  answers.length = 0;
  received.length = 0;
});

function connection(settings: Partial<ConnectionSettings> = {}): Connection {
  const { port } = server.address() as AddressInfo;
  return new Connection({ baseUrl: `http://127.0.0.1:${port}/`, ...settings });
}

function answer(status: number, body: unknown, headers: http.OutgoingHttpHeaders = {}): void {
  answers.push((_request, response) => {
    response.writeHead(status, headers).end(body === undefined ? '' : JSON.stringify(body));
  });
}

/** The request has arrived, and its answer does not. */
function lose(): void {
  answers.push((request) => request.socket.destroy());
}

const keys = () => received.map(({ headers }) => headers['idempotency-key']);
const thrownBy = (promise: Promise<unknown>) => promise.then(String, (error: unknown) => error);

describe('a request', () => {
  it('has the query that is set, and the headers of its connection', async () => {
    answer(200, { id: 1 });
    const own = connection({ headers: { Authorization: 'Bearer x' } });
    const query = { limit: 5, test: false, after: null, from: undefined, tag: 'a=b&c' };
    expect(await own.json({ path: '/v1/calls', query })).toEqual({ id: 1 });
    expect(received[0]).toMatchObject({
      method: 'GET',
      url: '/v1/calls?limit=5&test=false&tag=a%3Db%26c',
      headers: { accept: 'application/json', authorization: 'Bearer x' },
    });
    expect(keys()).toEqual([undefined]);
  });

  it('is answered with what is not in its body as well', async () => {
    answer(200, { id: 1 }, { etag: '"7"', 'call-id': 'c' });
    const budget = await connection().json<object>({ path: '/budget' });
    expect([etagOf(budget), headersOf(budget).get('call-id')]).toEqual(['"7"', 'c']);
    expect(() => headersOf({ ...budget })).toThrow(TypeError);
  });

  it('goes to the base URL alone', async () => {
    expect(() => new Connection({ baseUrl: 'data.example.com' })).toThrow('Invalid URL');
    expect(await thrownBy(connection().json({ path: '.evil.example/' }))).toBeInstanceOf(TypeError);
    const forged = connection({ headers: { Authorization: 'Bearer x\r\nX: y' } });
    expect(await thrownBy(forged.json({ path: '/' }))).not.toBeInstanceOf(ConnectionError);
    expect(received).toEqual([]);
  });
});

describe('a change', () => {
  it('whose answer was lost is sent again under the same key', async () => {
    lose();
    answers.push((_request, response) => {
      response.writeHead(201, { 'content-length': '100' }).write('{"id":');
      setImmediate(() => response.destroy());
    });
    answer(201, { id: 1 });
    expect(await connection().json({ method: 'POST', path: '/x', body: {} })).toEqual({ id: 1 });
    expect(keys()[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys()).size).toBe(1);
    expect(received).toHaveLength(3);
  });

  it('has a key of its own, or the one that the caller gives it', async () => {
    for (let times = 0; times < 3; times += 1) answer(204, undefined);
    const own = connection();
    expect(await own.json({ method: 'DELETE', path: '/x' })).toBeUndefined();
    await own.json({ method: 'DELETE', path: '/x' });
    await own.json({ method: 'PUT', path: '/x', idempotencyKey: 'mine', ifMatch: '"3"' });
    expect(new Set(keys()).size).toBe(3);
    expect(received[2]?.headers).toMatchObject({ 'idempotency-key': 'mine', 'if-match': '"3"' });
  });
});

describe('a refusal for the moment', () => {
  it.each([429, 503])('with status %d is asked for again after Retry-After', async (status) => {
    answer(status, { code: 'x' }, { 'retry-after': '1' });
    answer(200, { id: 1 });
    const start = performance.now();
    expect(await connection().json({ path: '/x' })).toEqual({ id: 1 });
    expect(performance.now() - start).toBeGreaterThan(990);
  });

  it('is thrown when the service says to wait for too long', async () => {
    answer(503, { code: 'accounting-unavailable' }, { 'retry-after': '61' });
    expect(await thrownBy(connection().json({ path: '/x' }))).toMatchObject({ status: 503 });
    answer(503, { code: 'accounting-unavailable' }, { 'retry-after': '1' });
    const thrown = await thrownBy(connection({ waitMsMax: 500 }).json({ path: '/x' }));
    expect(thrown).toMatchObject({ status: 503 });
    expect(received).toHaveLength(2);
  });

  it('is thrown when it lasts', async () => {
    for (let times = 0; times < 3; times += 1) answer(503, { code: 'accounting-unavailable' });
    const thrown = await thrownBy(connection({ attempts: 3 }).json({ path: '/x' }));
    expect(isProblem(thrown, 'accounting-unavailable')).toBe(true);
    expect(received).toHaveLength(3);
  });
});

describe('what cannot be had', () => {
  it('is thrown as the problem that the service sent, and not asked for again', async () => {
    const instance = 'urn:uuid:0';
    const all = { type: 'https://x', title: 'No credits', detail: 'It takes 35.', instance };
    answer(402, { ...all, code: 'out-of-credits', status: 402, required_credits: 35 });
    const thrown = await thrownBy(connection().json({ path: '/x' }));
    expect(thrown).toBeInstanceOf(ProblemError);
    expect(thrown).toMatchObject({
      code: 'out-of-credits',
      status: 402,
      message: 'It takes 35.',
      members: { required_credits: 35 },
    });
    expect(isProblem(thrown, 'forbidden')).toBe(false);
    expect(received).toHaveLength(1);
  });

  it('is a problem too where a proxy answers', async () => {
    answers.push((_request, response) => response.writeHead(500).end('<html>'));
    const thrown = await thrownBy(connection().json({ path: '/x' }));
    expect(thrown).toMatchObject({ code: 'internal', status: 500 });
    expect((thrown as Error).message).toMatch(
      /^http:.*\/x answered with status 500 and no type\. Is/,
    );
  });

  it('is a lost connection where nobody answers', async () => {
    lose();
    lose();
    const thrown = await thrownBy(connection({ attempts: 2 }).json({ path: '/x' }));
    expect(thrown).toBeInstanceOf(ConnectionError);
    expect(received).toHaveLength(2);
  });

  it('is no JSON where something else answers, with the URL and what to look at', async () => {
    answers.push((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>'),
    );
    const thrown = await thrownBy(connection().json({ path: '/x' }));
    expect(thrown).toBeInstanceOf(ConnectionError);
    expect((thrown as Error).message).toMatch(
      /^http:.*\/x answered with text\/html and not with JSON\. Is baseUrl the address/,
    );
  });

  it('is a refused connection where nothing listens', async () => {
    const settings = { baseUrl: `http://127.0.0.1:${await freePort()}`, attempts: 1 };
    const thrown = await thrownBy(new Connection(settings).json({ path: '/x' }));
    expect(thrown).toBeInstanceOf(ConnectionError);
    expect((thrown as Error).message).toMatch(
      /^http:.*\/x: the connection was refused \(ECONNREFUSED\); is baseUrl right/,
    );
  });

  it('is a lost connection where the answer takes too long', async () => {
    answers.push(() => undefined);
    const own = connection({ attempts: 1, timeoutMs: 50 });
    expect(await thrownBy(own.json({ path: '/x' }))).toMatchObject({
      name: 'ConnectionError',
      message: expect.stringMatching(/^http:.*\/x: no answer within 50 ms\.$/) as string,
    });
    server.closeAllConnections();
  });

  it('is given up when the caller says so, while it waits for another attempt too', async () => {
    const caller = new AbortController();
    const reason = new Error('changed my mind');
    answers.push((_request, response) => {
      response.writeHead(503, { 'retry-after': '60' }).end('{}');
      setTimeout(() => caller.abort(reason), 100);
    });
    const asked = connection().json({ path: '/x', signal: caller.signal });
    const thrown = thrownBy(asked);
    expect(await thrown).toBe(reason);
    expect(await thrownBy(connection().json({ path: '/x', signal: caller.signal }))).toBe(reason);
    expect(received).toHaveLength(1);
  });
});

it('a stream may take longer than its beginning', async () => {
  answers.push((_request, response) => {
    response.writeHead(200).write('a');
    setTimeout(() => response.end('b'), 700);
  });
  const response = await connection({ timeoutMs: 500 }).stream({ path: '/x', accept: 'text/csv' });
  expect(await response.text()).toBe('ab');
  expect(received[0]?.headers.accept).toBe('text/csv');
});
