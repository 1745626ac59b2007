import { isStrongSecret, STRONG_SECRET } from '#web/strong-secret.js';

/** Throws a RangeError for a CHARGING_SECRET that may be guessed. */
export function checkSecret(secret: string): string {
  if (isStrongSecret(secret)) return secret;
  throw new RangeError(`CHARGING_SECRET takes ${STRONG_SECRET}.`);
}
