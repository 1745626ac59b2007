import { webhookUrlFault } from './webhook-url.js';

const NO_URL = 'An address such as https://example.com/hooks';
const NO_USER = 'This must not hold a user or password';
const NO_BLANKS = 'This must not hold blanks or control characters';
const PRIVATE = 'This is no public address';

test.each([
  ['https://example.com/hooks?token=1', undefined, undefined],
  ['https://example.com:8443', undefined, undefined],
  ['HTTPS://EXAMPLE.COM/', undefined, undefined],
  ['https://8.8.8.8/', undefined, undefined],
  ['https://[2606:4700:4700::1111]/', undefined, undefined],
  ['http://example.com/', 'Only https is taken', undefined],
  ['https://localhost/', PRIVATE, undefined],
  ['https://hooks.localhost./', PRIVATE, undefined],
  ['https://127.0.0.1/', PRIVATE, undefined],
  ['https://2130706433/', PRIVATE, undefined],
  ['https://0x7f.1/', PRIVATE, undefined],
  ['https://0177.0.0.1/', PRIVATE, undefined],
  ['https://127.0.0.1./', PRIVATE, undefined],
  ['https://[::1]/', PRIVATE, undefined],
  ['https://[::ffff:127.0.0.1]/', PRIVATE, undefined],
  ['https://169.254.169.254/latest/meta-data', PRIVATE, undefined],
  ['https://user:password@example.com/', NO_USER, NO_USER],
  ['https://user@example.com/', NO_USER, NO_USER],
  ['https://example.com/#part', 'This must not hold a fragment', 'This must not hold a fragment'],
  ['ftp://example.com/', NO_URL, NO_URL],
  ['file:///etc/passwd', NO_URL, NO_URL],
  ['https:example.com', NO_URL, NO_URL],
  ['example.com', NO_URL, NO_URL],
  ['', NO_URL, NO_URL],
  ['https://example.com/a\nb', NO_BLANKS, NO_BLANKS],
  ['https://exam\tple.com/', NO_BLANKS, NO_BLANKS],
  ['https://example.com/\u0000', NO_BLANKS, NO_BLANKS],
  ['https://example.com/\u0085', NO_BLANKS, NO_BLANKS],
  ['https://example.com/\u202eskooh', NO_BLANKS, NO_BLANKS],
  ['https://example.com/a b', NO_BLANKS, NO_BLANKS],
  [' https://example.com/', NO_BLANKS, NO_BLANKS],
])('%j: %s; where private addresses are allowed: %s', (url, fault, faultIfPrivate) => {
  expect(webhookUrlFault(url, false)).toBe(fault);
  expect(webhookUrlFault(url, true)).toBe(faultIfPrivate);
});
