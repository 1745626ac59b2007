import { createHash } from 'node:crypto';
import { crc32 as zlibCrc32 } from 'node:zlib';
import { isAdminToken, newAdminToken } from './new-admin-token.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(value: number): string {
  return value === 0 ? '' : base62(Math.floor(value / 62)) + ALPHABET.charAt(value % 62);
}

describe('a new admin token', () => {
  const { token, hash, lastFour } = newAdminToken();

  it('is a prefix, 40 random characters and 6 of their CRC-32', () => {
    expect(token).toMatch(/^pixadm_[0-9A-Za-z]{46}$/);
    expect(token.slice(47)).toBe(base62(zlibCrc32(token.slice(0, 47))).padStart(6, '0'));
    expect(isAdminToken(token)).toBe(true);
  });

  it('is kept as its SHA-256 and its last four characters', () => {
    expect(hash).toBe(createHash('sha256').update(token).digest('hex'));
    expect(lastFour).toBe(token.slice(-4));
  });

  it('is like no other', () => {
    const tokens = Array.from({ length: 100 }, () => newAdminToken().token);
    expect(new Set(tokens).size).toBe(100);
  });

  it.each([
    ['a character too few', token.slice(0, -1)],
    ['a character too many', `${token}0`],
    ['another prefix', token.replace('pixadm_', 'pixadn_')],
    ['a character that is not base62', `${token.slice(0, 10)}-${token.slice(11)}`],
    ['a line behind it', `${token}\n`],
    ['another character', token.slice(0, 20) + (token[20] === 'a' ? 'b' : 'a') + token.slice(21)],
  ])('is none with %s', (_what, text) => {
    expect(isAdminToken(text)).toBe(false);
  });
});
