import { createHash } from 'node:crypto';

/** SHA-256 of a stored row's bytes, in hex, as `profileReference` makes it. */
export function toHash(body: string | Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
