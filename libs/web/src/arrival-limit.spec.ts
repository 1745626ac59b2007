import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { letArrive, limitArrival } from './arrival-limit.js';

const LIMIT_MS = 1_000;
const ENOUGH = 125_000;

/** A request and its answer, as far as they are looked at. */
function exchange(headers: object = { 'content-length': '1000000' }) {
  const socket = { bytesRead: 0 };
  const changing = { complete: false, destroyed: false, readableLength: 0 };
  const request = Object.assign(new EventEmitter(), { headers, socket }, changing);
  const response = { writableEnded: false };
  let refused = 0;
  limitArrival(
    request as unknown as IncomingMessage,
    response as ServerResponse,
    LIMIT_MS,
    () => (refused += 1),
  );
  const streams = (): void => letArrive(request as unknown as Readable);
  return { request, response, socket, streams, refused: () => refused };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('a body that is not whole in time is refused once, however fast it comes', () => {
  const { socket, refused } = exchange();
  socket.bytesRead = 10 * ENOUGH;
  jest.advanceTimersByTime(LIMIT_MS - 1);
  expect(refused()).toBe(0);
  jest.advanceTimersByTime(10 * LIMIT_MS);
  expect(refused()).toBe(1);
});

test.each([
  ['is whole', (one: ReturnType<typeof exchange>) => (one.request.complete = true)],
  ['is over', (one: ReturnType<typeof exchange>) => one.request.emit('close')],
])('a body that %s is not refused', (_what, happens) => {
  const one = exchange();
  happens(one);
  jest.advanceTimersByTime(LIMIT_MS);
  expect(one.refused()).toBe(0);
});

test('a request without a body is not looked at', () => {
  const { refused } = exchange({});
  jest.advanceTimersByTime(LIMIT_MS);
  expect(refused()).toBe(0);
});

test('a body that is read piece by piece goes on while it comes fast enough', () => {
  const { socket, streams, refused } = exchange();
  streams();
  for (let second = 1; second <= 60; second += 1) {
    socket.bytesRead += ENOUGH;
    jest.advanceTimersByTime(LIMIT_MS);
  }
  expect(refused()).toBe(0);
  socket.bytesRead += ENOUGH - 1;
  jest.advanceTimersByTime(LIMIT_MS);
  expect(refused()).toBe(1);
});

test('a body that waits for the service is not refused, unless it was answered', () => {
  const { request, response, streams, refused } = exchange();
  streams();
  request.readableLength = 1;
  jest.advanceTimersByTime(10 * LIMIT_MS);
  expect(refused()).toBe(0);
  response.writableEnded = true;
  jest.advanceTimersByTime(LIMIT_MS);
  expect(refused()).toBe(1);
});
