import { createHash, randomBytes } from 'node:crypto';
import { type ApiKeyPrefix, formatApiKey, randomApiKeyPart } from '#account/api-key.js';

const RANDOM_BYTES = 64;

/** An API key that nobody has ever seen, and what of it is kept. */
export interface NewApiKey {
  readonly key: string;
  /** SHA-256 of the key, 64 hex digits. */
  readonly hash: string;
  readonly prefix: ApiKeyPrefix;
  readonly lastFour: string;
}

/** Draws a key; those of accounts with a test clock have another prefix. */
export function newApiKey(test: boolean): NewApiKey {
  let random = randomApiKeyPart(randomBytes(RANDOM_BYTES));
  while (random === undefined) random = randomApiKeyPart(randomBytes(RANDOM_BYTES));
  return drawnApiKey(formatApiKey(test ? 'pix_test_' : 'pix_live_', random));
}

/** A key that was drawn before. */
export function drawnApiKey(key: string): NewApiKey {
  const prefix = key.startsWith('pix_test_') ? 'pix_test_' : 'pix_live_';
  const hash = createHash('sha256').update(key).digest('hex');
  return { key, hash, prefix, lastFour: key.slice(-4) };
}
