/** Characters of Windows-1252 at 0x80 to 0x9f; blanks: none. */
const HIGH = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';
const FIRST = 0x80;
const LAST = 0x9f;
const LIMIT = 0x100;
const MARKS = /\p{M}+/gu;

/**
 * A text in Windows-1252. What it does not have loses its accents; what is not there either is a
 * question mark.
 */
export function windows1252(text: string): Uint8Array {
  const codes: number[] = [];
  for (const character of text.normalize('NFC')) codes.push(...codesOf(character));
  return Uint8Array.from(codes);
}

function codesOf(character: string): readonly number[] {
  const own = codeOf(character);
  if (own !== undefined) return [own];
  const plain = Array.from(character.normalize('NFKD').replaceAll(MARKS, ''));
  return plain.map((one) => codeOf(one) ?? 0x3f);
}

function codeOf(character: string): number | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code < FIRST || (code > LAST && code < LIMIT)) return code;
  const high = character === ' ' ? -1 : HIGH.indexOf(character);
  return high < 0 ? undefined : FIRST + high;
}
