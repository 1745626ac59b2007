const CHARACTERS_MIN = 32;
const DIFFERENT_MIN = 10;

/** The rule for a secret, in words for an operator. */
export const STRONG_SECRET = `at least ${CHARACTERS_MIN} characters, ${DIFFERENT_MIN} of them different`;

/** Whether a secret is long and varied enough that nobody guesses it from what is made with it. */
export function isStrongSecret(secret: string): boolean {
  return secret.length >= CHARACTERS_MIN && new Set(secret).size >= DIFFERENT_MIN;
}
