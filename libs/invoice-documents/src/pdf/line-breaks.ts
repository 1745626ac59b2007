/** But for the space that keeps a number in one line. */
const BLANKS = /(?:[^\S\u00a0]|\p{Cc})+/gu;
/** They could show a name, or a reason with a number in it, backwards. */
const DIRECTION_OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g;
/** After spaces and hyphens, and on either side of a character of Chinese or Japanese. */
const BREAKS =
  /(?<=[ -])|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])|(?=\p{Script=Han})/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * A text as one line: in composed characters, control characters and line ends as spaces, without
 * characters that turn the direction of others.
 */
export function oneLine(text: string): string {
  const directed = text.replace(DIRECTION_OVERRIDES, '');
  return directed.toWellFormed().normalize('NFC').replace(BLANKS, ' ').trim();
}

/**
 * Breaks a line where words end, and words that do not fit where characters do. A single character
 * that does not fit stands alone.
 */
export function brokenLines(line: string, fits: (text: string) => boolean): string[] {
  if (fits(line)) return [line];
  const lines: string[] = [];
  let current = '';
  const add = (piece: string): void => {
    if (current !== '' && !fits((current + piece).trimEnd())) {
      lines.push(current.trimEnd());
      current = '';
    }
    current += piece;
  };
  for (const piece of line.split(BREAKS)) {
    if (fits(piece.trimEnd())) add(piece);
    else for (const { segment } of graphemes.segment(piece)) add(segment);
  }
  return [...lines, current.trimEnd()];
}
