import { isNearby } from './nearby.js';

const asked = (remoteAddress: string | undefined, headers: Record<string, string> = {}): boolean =>
  isNearby({ headers, socket: { remoteAddress } });

test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '172.20.0.4', 'fd00::7'])(
  '%s is of the own network',
  (address) => expect(asked(address)).toBe(true),
);

test.each(['8.8.8.8', '172.32.0.1', '::ffff:8.8.8.8', '2001:4860::8888', undefined])(
  '%s is not',
  (address) => expect(asked(address)).toBe(false),
);

test.each(['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'])(
  'a request that a proxy hands on, as %s tells, comes from anywhere',
  (name) => expect(asked('127.0.0.1', { [name]: '127.0.0.1' })).toBe(false),
);
