import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { readConfiguration } from './configuration.js';
import { admitToMetrics, LOOPBACK_ONLY, metricsAccessOf, refuseMetrics } from './metrics-access.js';

const TOKEN = 'a-metrics-token-of-the-tests-0123456789';

function asked(remoteAddress: string, headers: Record<string, string> = {}): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const request = new IncomingMessage(socket);
  Object.assign(request.headers, { host: '127.0.0.1:3000', ...headers });
  return request;
}

const slugOf = (request: IncomingMessage, token: string | null) =>
  refuseMetrics(request, { ...LOOPBACK_ONLY, token })?.slug ?? null;

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

test('without a token, this machine asks by the names and addresses that are configured', () => {
  const configuration = readConfiguration('standalone', {
    HOST: 'node-7.internal',
    BASE_URL: 'https://api.example.com/popindex',
    PORTAL_URL: 'https://portal.example.com',
    ADMIN_URL: 'http://[fd00::7]:3001',
  });
  const access = metricsAccessOf(configuration);
  const open = [
    'node-7.internal:3000',
    'API.example.com',
    'portal.example.com.:3003',
    '[fd00::7]:3001',
  ].map((host) => refuseMetrics(asked('127.0.0.1', { host }), access));
  expect(open).toEqual([null, null, null, null]);
  expect(refuseMetrics(asked('127.0.0.1', { host: 'example.com' }), access)?.slug).toBe(
    'not-found',
  );
});
