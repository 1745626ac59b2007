import { createHash, randomBytes } from 'node:crypto';

const RANDOM_BYTES = 32;

/** A secret that nobody has ever seen, and what of it is kept. */
export interface SecretToken {
  readonly secret: string;
  /** SHA-256 of the secret. */
  readonly hash: Buffer;
}

/** `prefix` names the kind of the secret, so that one in a log or a repository can be found. */
export function newSecretToken(prefix: string): SecretToken {
  const secret = prefix + randomBytes(RANDOM_BYTES).toString('base64url');
  return { secret, hash: secretHash(secret) };
}

export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
