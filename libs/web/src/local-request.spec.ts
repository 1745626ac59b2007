import { isLocal } from './local-request.js';

const asked = (remoteAddress: string | undefined, headers: Record<string, string> = {}): boolean =>
  isLocal({ headers, socket: { remoteAddress } });

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
