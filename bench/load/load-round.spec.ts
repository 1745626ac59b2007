import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';
import { CallMix } from './call-mix.js';
import { BOUNDS_MS } from './latencies.js';
import { LoadRound, type Caller } from './load-round.js';

let server: http.Server;
let url: string;
let answer: (request: http.IncomingMessage, response: http.ServerResponse) => void;
let requests: string[];

beforeAll(async () => {
  server = http.createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
});

afterAll(() => server.close());

beforeEach(() => {
  requests = [];
  answer = (_, response) => end(response, 200, 'repeat');
});

function end(response: http.ServerResponse, status: number, kind: string): void {
  response.writeHead(status, { 'Credits-Kind': kind, 'Content-Length': 2 }).end('{}');
}

function callers(count: number): Caller[] {
  return Array.from({ length: count }, (_, index) => {
    const mix = new CallMix(90, { caller: `${index}`, first: index, step: count, end: 1_000 });
    const rest = ' HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key\r\n\r\n';
    return { mix, nextRequest: () => `GET /${mix.next()}${rest}` };
  });
}

test('every call that was made is answered and counted, and none is made afterwards', async () => {
  const all = callers(4);
  const result = await new LoadRound({ url, seconds: 0.2 }, all).run();
  expect(result.answers).toBeGreaterThan(0);
  expect(result.answers).toBe(requests.length);
  expect(result.fresh).toBe(new Set(requests).size);
  expect(result).toMatchObject({ faults: 0, bases: 0 });
  expect(requests).toContainEqual('GET /0 Bearer key');
});

test('an answer that is no 200 is a fault, and a first call is distinguished', async () => {
  const known = new Set<string>();
  answer = ({ url: path = '' }, response) => {
    end(response, known.size === 3 ? 503 : 200, known.has(path) ? 'repeat' : 'base');
    known.add(path);
  };
  const result = await new LoadRound({ url, seconds: 0.2 }, callers(1)).run();
  expect(result.bases).toBe(result.fresh);
  expect(result.faults).toBeGreaterThan(0);
});

test('at a constant rate as many calls are made as fall due', async () => {
  const result = await new LoadRound({ url, seconds: 0.25, callsPerSecond: 400 }, callers(8)).run();
  expect([result.answers, requests.length]).toEqual([100, 100]);
});

test('a stall counts once as it was, and since due for every call that was due meanwhile', async () => {
  const stallMs = 400;
  let stalledAt: number | undefined;
  answer = (_, response) => {
    const isFirst = requests.length > 60 && stalledAt === undefined;
    if (!isFirst) return end(response, 200, 'repeat');
    stalledAt = performance.now();
    return void setTimeout(() => end(response, 200, 'repeat'), stallMs);
  };
  const order = { url, seconds: 0.6, callsPerSecond: 200 };
  const { latencies, sinceDue, answers } = await new LoadRound(order, callers(1)).run();
  expect(answers).toBe(120);
  const slow = (all: typeof latencies) =>
    all.histogram.reduce((sum, count, index) => {
      return (BOUNDS_MS[index - 1] ?? 0) >= stallMs / 2 ? sum + count : sum;
    }, 0);
  // One call was slow; those that fell due meanwhile, one each 5 ms, could not be made.
  expect(latencies.maxMs).toBeGreaterThan(stallMs - 5);
  expect(slow(latencies)).toBeLessThan(5);
  expect(slow(sinceDue)).toBeGreaterThan(20);
});

test('connecting and the first second are no part of the latencies', async () => {
  const stallMs = 400;
  answer = (_, response) => {
    if (requests.length > 2) end(response, 200, 'repeat');
    else setTimeout(() => end(response, 200, 'repeat'), stallMs);
  };
  const result = await new LoadRound({ url, seconds: 1 }, callers(2)).run();
  const { connectMs, firstSecond, latencies } = result;
  expect(firstSecond.answers + latencies.answers).toBe(result.answers);
  expect(firstSecond.maxMs).toBeGreaterThan(stallMs - 5);
  expect(latencies.p99Ms).toBeLessThan(stallMs - 5);
  expect(connectMs).toBeGreaterThan(0);
});

test('a server that goes away fails the round', async () => {
  answer = (request) => request.socket.destroy();
  await expect(new LoadRound({ url, seconds: 5 }, callers(2)).run()).rejects.toThrow();
  const order = { url, seconds: 5, callsPerSecond: 100 };
  await expect(new LoadRound(order, callers(2)).run()).rejects.toThrow();
});
