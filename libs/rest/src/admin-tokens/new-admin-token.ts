import { createHash, randomBytes } from 'node:crypto';
import { checkDigits, randomBase62 } from '#account/api-key.js';

export const ADMIN_TOKEN_PREFIX = 'pixadm_';
const RANDOM_LENGTH = 40;
const RANDOM_BYTES = 96;
const FORM = /^pixadm_[0-9A-Za-z]{46}$/;
const CHECK_LENGTH = 6;

/** An admin token that nobody has ever seen, and what of it is kept. */
export interface NewAdminToken {
  readonly token: string;
  /** SHA-256 of the token, 64 hex digits. */
  readonly hash: string;
  readonly lastFour: string;
}

/** Draws a token: prefix, 40 random base62 characters and 6 of the CRC-32 over both. */
export function newAdminToken(): NewAdminToken {
  let random = randomBase62(randomBytes(RANDOM_BYTES), RANDOM_LENGTH);
  while (random === undefined) random = randomBase62(randomBytes(RANDOM_BYTES), RANDOM_LENGTH);
  const text = ADMIN_TOKEN_PREFIX + random;
  const token = text + checkDigits(text);
  return { token, hash: tokenHash(token), lastFour: token.slice(-4) };
}

/** Whether a text has the form of such a token and its check digits are right. */
export function isAdminToken(text: string): boolean {
  return FORM.test(text) && text.endsWith(checkDigits(text, text.length - CHECK_LENGTH));
}

export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
