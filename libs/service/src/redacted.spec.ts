import { redacted } from './redacted.js';

test.each([
  [
    'an API key',
    'key pix_live_0123456789abcdefghij0123456789ABCDEF is wrong',
    'key pix_live_… is wrong',
  ],
  ['a test key', '"pix_test_0123456789"', '"pix_test_…"'],
  ['an admin token', 'pixadm_0123456789', 'pixadm_…'],
  ['a webhook secret', 'whsec_ab+/cd==,', 'whsec_…,'],
  ['a header', '"authorization":"Bearer opensesame"', '"authorization":"Bearer …"'],
  ['a password', 'postgresql://pix:opensesame@db:5432/pix', 'postgresql://pix:…@db:5432/pix'],
  ['a known secret', 'token a-token-of-the-operator!', 'token …'],
  [
    'nothing',
    '{"level":30,"msg":"https://example.com/a:b@c"}',
    '{"level":30,"msg":"https://example.com/a:b@c"}',
  ],
])('%s is not logged', (_what, line, expected) => {
  expect(redacted(line, ['a-token-of-the-operator!'])).toBe(expected);
});
