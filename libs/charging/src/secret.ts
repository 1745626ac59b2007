import { SECRET_CHARACTERS_MIN } from './handshake.js';

/** Throws a RangeError for a CHARGING_SECRET that is too short to be one. */
export function checkSecret(secret: string): string {
  if (secret.length >= SECRET_CHARACTERS_MIN) return secret;
  throw new RangeError(`CHARGING_SECRET takes at least ${SECRET_CHARACTERS_MIN} characters.`);
}
