import { isLocal } from './local-request.js';

const asked = (remoteAddress: string | undefined, headers: Record<string, string> = {}): boolean =>
  isLocal({ headers: { host: 'localhost', ...headers }, socket: { remoteAddress } }, new Set());

test.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])('%s is this machine', (address) =>
  expect(asked(address)).toBe(true),
);

test.each(['10.1.2.3', '172.20.0.4', 'fd00::7', '8.8.8.8', '::ffff:8.8.8.8', undefined])(
  '%s is not',
  (address) => expect(asked(address)).toBe(false),
);

test.each([
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
])('a request that a proxy forwards, as %s shows, comes from anywhere', (name) =>
  expect(asked('127.0.0.1', { [name]: '127.0.0.1' })).toBe(false),
);

test.each([
  'localhost',
  'LocalHost:3000',
  'api.localhost:3000',
  'localhost.:3000',
  '127.0.0.1:3000',
  '127.8.8.8',
  '[::1]:3000',
])('it asks for %s, which is this machine', (host) =>
  expect(asked('127.0.0.1', { host })).toBe(true),
);

// A browser sends the name of the page's site, wherever that name leads by now.
test.each([
  'rebound.example',
  'rebound.example:3000',
  'localhost.example',
  'notlocalhost',
  '127.0.0.1.example',
  '127-0-0-1.example:3000',
  '10.1.2.3:3000',
  'localhost@rebound.example',
  '',
])('whoever asks for "%s" may be led here by a page of another site', (host) =>
  expect(asked('127.0.0.1', { host })).toBe(false),
);
