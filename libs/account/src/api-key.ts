const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const PREFIX_LENGTH = 9;

const RANDOM_LENGTH = 30;

const CHECK_LENGTH = 6;

const KEY_LENGTH = PREFIX_LENGTH + RANDOM_LENGTH + CHECK_LENGTH;

/** The largest multiple of 62 that a byte can hold: bytes from here on would favour some digits. */
const UNBIASED_BYTES = 248;

export const API_KEY_PREFIXES = ['pix_live_', 'pix_test_'] as const;

export type ApiKeyPrefix = (typeof API_KEY_PREFIXES)[number];

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc >>> 0;
});

/** CRC-32 (IEEE 802.3, as in zip and png) of the first `length` characters of an ASCII text. */
export function crc32(text: string, length = text.length): number {
  let crc = 0xffffffff;
  for (let index = 0; index < length; index += 1) {
    crc = (CRC_TABLE[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** 6 base62 characters of the CRC-32 of the first `length` characters of an ASCII text. */
export function checkDigits(text: string, length = text.length): string {
  let rest = crc32(text, length);
  let digits = '';
  for (let index = 0; index < CHECK_LENGTH; index += 1) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/**
 * An API key: prefix, 30 random base62 characters, and 6 base62 characters of the CRC-32 over both,
 * so that a mistyped or leaked key can be recognized without a lookup. Throws a RangeError unless
 * `random` is 30 base62 characters.
 */
export function formatApiKey(prefix: ApiKeyPrefix, random: string): string {
  if (random.length !== RANDOM_LENGTH || !isBase62(random, 0)) {
    throw new RangeError(`An API key holds ${RANDOM_LENGTH} random base62 characters.`);
  }
  const text = prefix + random;
  return text + checkDigits(text);
}

/** Whether a text has the form of an API key and its check digits are right. */
export function isApiKey(text: string): boolean {
  return (
    text.length === KEY_LENGTH &&
    apiKeyPrefix(text) !== undefined &&
    isBase62(text, PREFIX_LENGTH) &&
    text.endsWith(checkDigits(text, KEY_LENGTH - CHECK_LENGTH))
  );
}

/** The prefix of a text that looks like an API key, or undefined. */
export function apiKeyPrefix(text: string): ApiKeyPrefix | undefined {
  return API_KEY_PREFIXES.find((prefix) => text.startsWith(prefix));
}

/**
 * The random part of an API key from random bytes, every digit equally likely. Undefined when too
 * many of the bytes had to be passed over: 64 bytes are practically always enough.
 */
export function randomApiKeyPart(bytes: Uint8Array): string | undefined {
  return randomBase62(bytes, RANDOM_LENGTH);
}

/** The same of any length: so many base62 characters, or undefined. */
export function randomBase62(bytes: Uint8Array, length: number): string | undefined {
  let text = '';
  for (const byte of bytes) {
    if (byte < UNBIASED_BYTES) text += ALPHABET.charAt(byte % 62);
    if (text.length === length) return text;
  }
  return undefined;
}

function isBase62(text: string, from: number): boolean {
  for (let index = from; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const digit = code >= 48 && code <= 57;
    const letter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
    if (!digit && !letter) return false;
  }
  return true;
}
