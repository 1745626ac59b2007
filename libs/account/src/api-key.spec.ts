import {
  API_KEY_PREFIXES,
  apiKeyPrefix,
  crc32,
  formatApiKey,
  isApiKey,
  randomApiKeyPart,
} from './api-key.js';

const RANDOM = 'abcdefghijklmnopqrstuvwxyz0123';
const KEY = `pix_live_${RANDOM}4Bcsrr`;

describe('an API key', () => {
  // Calculated with zlib.crc32 of Python, which shares no line with this code.
  it.each([
    ['pix_live_', '0'.repeat(30), '0LilEb'],
    ['pix_live_', RANDOM, '4Bcsrr'],
    ['pix_live_', 'Z'.repeat(30), '3tJFuq'],
    ['pix_test_', '0'.repeat(30), '4aCebu'],
    ['pix_test_', RANDOM, '0FdzQ0'],
    ['pix_test_', 'Z'.repeat(30), '18HX8N'],
  ] as const)('of %s and %s ends in the check digits %s', (prefix, random, digits) => {
    expect(formatApiKey(prefix, random)).toBe(prefix + random + digits);
    expect(isApiKey(prefix + random + digits)).toBe(true);
  });

  it('uses the CRC-32 that everybody else computes', () => {
    expect(crc32('123456789')).toBe(0xcbf43926);
    expect(crc32('')).toBe(0);
  });

  it.each([
    ['nothing', ''],
    ['another prefix', KEY.replace('live', 'demo')],
    ['the prefix of the other kind', KEY.replace('live', 'test')],
    ['a character too few', KEY.slice(0, -1)],
    ['a character too many', `${KEY}0`],
    ['a character that is not base62', KEY.replace('abc', 'a-c')],
    ['a wrong check digit', `${KEY.slice(0, -1)}s`],
    ['two digits exchanged', KEY.replace('cd', 'dc')],
    ['another case', KEY.toUpperCase()],
    ['a space before it', ` ${KEY}`],
    ['a letter of another alphabet', KEY.replace('a', 'а')],
  ])('is none with %s', (_what, text) => {
    expect(isApiKey(text)).toBe(false);
  });

  it('does not survive the change of any single character', () => {
    for (let index = 0; index < KEY.length; index += 1) {
      const other = KEY[index] === 'x' ? 'y' : 'x';
      expect(isApiKey(KEY.slice(0, index) + other + KEY.slice(index + 1))).toBe(false);
    }
  });

  it('shows its prefix', () => {
    expect(apiKeyPrefix(KEY)).toBe('pix_live_');
    expect(apiKeyPrefix('pix_')).toBeUndefined();
    expect(API_KEY_PREFIXES).toEqual(['pix_live_', 'pix_test_']);
  });

  it.each(['short', `${RANDOM}0`, RANDOM.replace('a', '_')])(
    'refuses the random part %s',
    (part) => {
      expect(() => formatApiKey('pix_live_', part)).toThrow(RangeError);
    },
  );
});

describe('the random part', () => {
  it('passes over bytes that would favour some digits', () => {
    const bytes = Uint8Array.from([255, 248, ...Array.from({ length: 30 }, () => 247)]);
    expect(randomApiKeyPart(bytes)).toBe('z'.repeat(30));
  });

  it('is not made of too few bytes', () => {
    expect(randomApiKeyPart(new Uint8Array(29))).toBeUndefined();
    expect(randomApiKeyPart(new Uint8Array(30))).toBe('0'.repeat(30));
  });
});
