import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { admitToMetrics, refuseMetrics } from './metrics-access.js';

const TOKEN = 'a-metrics-token-of-the-tests-0123456789';

function asked(remoteAddress: string, headers: Record<string, string> = {}): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const request = new IncomingMessage(socket);
  Object.assign(request.headers, headers);
  return request;
}

const slugOf = (request: IncomingMessage, token: string | null) =>
  refuseMetrics(request, token)?.slug ?? null;

test.each([
  ['127.0.0.1', {}, null],
  ['::1', {}, null],
  ['10.0.0.7', {}, 'not-found'],
  ['8.8.8.8', {}, 'not-found'],
  ['127.0.0.1', { via: '1.1 proxy' }, 'not-found'],
  ['10.0.0.7', { authorization: `Bearer ${TOKEN}` }, 'not-found'],
])('without a token, %s with %j gets %s', (address, headers, slug) => {
  expect(slugOf(asked(address, headers), null)).toBe(slug);
});

test.each([
  ['127.0.0.1', {}, 'unauthenticated'],
  ['8.8.8.8', { authorization: `Bearer ${TOKEN}` }, null],
  ['8.8.8.8', { authorization: `bearer  ${TOKEN} `, via: '1.1 proxy' }, null],
  ['127.0.0.1', { authorization: `Bearer ${TOKEN}x` }, 'invalid-key'],
  ['127.0.0.1', { authorization: TOKEN }, 'invalid-key'],
  ['127.0.0.1', { authorization: 'Bearer ' }, 'invalid-key'],
])('with a token, %s with %j gets %s', (address, headers, slug) => {
  expect(slugOf(asked(address, headers), TOKEN)).toBe(slug);
});

test('an operator who is signed in is let in without either', () => {
  const request = asked('8.8.8.8');
  admitToMetrics(request);
  expect([slugOf(request, TOKEN), slugOf(request, null)]).toEqual([null, null]);
});
