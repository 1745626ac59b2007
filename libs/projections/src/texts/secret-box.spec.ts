import { OtherKeyError, SecretBox } from './secret-box.js';

const SECRET = 'a-secret-of-at-least-32-characters-0123';
const TEXT = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const box = new SecretBox(SECRET);

test('what was encrypted opens again, with the same secret and under the same name', () => {
  const encrypted = box.encrypt('a', TEXT);
  expect(box.open('a', encrypted)).toBe(TEXT);
  expect(new SecretBox(SECRET).open('a', encrypted)).toBe(TEXT);
});

test('what is encrypted shows nothing of the text, and is another each time', () => {
  const encrypted = box.encrypt('a', TEXT);
  expect(encrypted.includes(Buffer.from(TEXT.slice(0, 8)))).toBe(false);
  expect(box.encrypt('a', TEXT).equals(encrypted)).toBe(false);
});

test('it does not open with another secret, under another name, or changed in any byte', () => {
  const encrypted = box.encrypt('a', TEXT);
  expect(() => new SecretBox(`${SECRET}4`).open('a', encrypted)).toThrow('another key');
  expect(() => box.open('b', encrypted)).toThrow(OtherKeyError);
  for (let index = 0; index < encrypted.length; index++) {
    const changed = Buffer.from(encrypted);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => box.open('a', changed)).toThrow(OtherKeyError);
  }
  expect(() => box.open('a', encrypted.subarray(0, 20))).toThrow(OtherKeyError);
});
