/**
 * Letters, numbers, punctuation and symbols, but for what is not drawn: fillers, which Unicode has
 * ignored by default, and four that only their names call blank.
 */
const VISIBLE = /(?![\p{DI}\u2800\u{13441}\u{13442}\u{1D159}])[\p{L}\p{N}\p{P}\p{S}]/u;
const INVISIBLE = /[\p{DI}\p{Cf}\u2800\u{13441}\u{13442}\u{1D159}]/u;

/** Whether a text shows something: one visible character at least. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** Whether a text holds a character that nobody sees, blanks apart. */
export function holdsInvisible(text: string): boolean {
  return INVISIBLE.test(text);
}
