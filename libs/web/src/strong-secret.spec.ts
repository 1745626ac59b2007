import { randomBytes } from 'node:crypto';
import { isStrongSecret } from './strong-secret.js';

test.each([
  ['31 characters', 'abcdefghijklmnopqrstuvwxyz01234', false],
  ['32 different characters', 'abcdefghijklmnopqrstuvwxyz012345', true],
  ['one character, repeated', 'a'.repeat(64), false],
  ['nine different characters', '123456789'.repeat(4), false],
  ['ten different characters', '0123456789'.repeat(4), true],
  ['a word, repeated', 'changeme'.repeat(8), false],
])('%s: strong is %s', (_what, secret, isStrong) => {
  expect(isStrongSecret(secret)).toBe(isStrong);
});

test('the command of the documents makes a strong secret', () => {
  for (let made = 0; made < 1_000; made += 1) {
    expect(isStrongSecret(randomBytes(32).toString('hex'))).toBe(true);
  }
});
