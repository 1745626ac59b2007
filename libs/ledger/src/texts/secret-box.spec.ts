import { SealedOtherwiseError, SecretBox } from './secret-box.js';

const SECRET = 'a-secret-of-at-least-32-characters-0123';
const TEXT = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const box = new SecretBox(SECRET);

test('what was sealed opens again, with the same secret and under the same name', () => {
  const sealed = box.seal('a', TEXT);
  expect(box.open('a', sealed)).toBe(TEXT);
  expect(new SecretBox(SECRET).open('a', sealed)).toBe(TEXT);
});

test('what is sealed shows nothing of the text, and is another each time', () => {
  const sealed = box.seal('a', TEXT);
  expect(sealed.includes(Buffer.from(TEXT.slice(0, 8)))).toBe(false);
  expect(box.seal('a', TEXT).equals(sealed)).toBe(false);
});

test('it does not open with another secret, under another name, or changed in any byte', () => {
  const sealed = box.seal('a', TEXT);
  expect(() => new SecretBox(`${SECRET}4`).open('a', sealed)).toThrow('another key');
  expect(() => box.open('b', sealed)).toThrow(SealedOtherwiseError);
  for (let index = 0; index < sealed.length; index++) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => box.open('a', changed)).toThrow(SealedOtherwiseError);
  }
  expect(() => box.open('a', sealed.subarray(0, 20))).toThrow(SealedOtherwiseError);
});
