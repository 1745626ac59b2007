import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';
import { CallMix } from './call-mix.js';
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

test('at a constant rate a stall counts for every call that was due meanwhile', async () => {
  const stallMs = 200;
  answer = (_, response) => {
    if (requests.length > 1) end(response, 200, 'repeat');
    else setTimeout(() => end(response, 200, 'repeat'), stallMs);
  };
  const order = { url, seconds: 0.25, callsPerSecond: 200 };
  const result = await new LoadRound(order, callers(1)).run();
  expect(result.answers).toBe(50);
  // The first call waits for all of it, the one that is due half of it later for the other half:
  // half of the calls wait for at least three eighths.
  expect(result.maxMs).toBeGreaterThan(stallMs - 5);
  expect(result.p50Ms).toBeGreaterThan(stallMs / 4);
});

test('a server that goes away fails the round', async () => {
  answer = (request) => request.socket.destroy();
  await expect(new LoadRound({ url, seconds: 5 }, callers(2)).run()).rejects.toThrow();
  const order = { url, seconds: 5, callsPerSecond: 100 };
  await expect(new LoadRound(order, callers(2)).run()).rejects.toThrow();
});
