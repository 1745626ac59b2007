/**
 * Places at which a reader of any locale could begin a cell, before what it would run as a formula:
 * the start, and behind a separator or a line end within the text. Blanks and quotes are skipped by
 * readers.
 */
const FORMULA_STARTS = /(?<=^|[;,\t\r\n])(?=(?:[^\S\t\r\n]|")*[=+\-@|%＝＋－＠])/g;
/** A cell that begins with one of these is cut by some readers, which then look at what follows. */
const CUT_START = /^[\t\r\n]/;
/** A whole cell that is a number to a spreadsheet. */
const NEGATIVE = /^-\d+(?:\.\d+)?$/;
/** Separators of cells in any locale: with decimal commas, semicolons separate lists. */
const NEEDS_QUOTES = /[";,\t\r\n]|^\s|\s$/;

/**
 * A text that no spreadsheet runs as a formula, also not a part of it: each part that would be one
 * is led by an apostrophe. A number below zero stays one.
 */
export function safeText(text: string): string {
  if (NEGATIVE.test(text)) return text;
  const safe = text.replaceAll(FORMULA_STARTS, "'");
  return CUT_START.test(safe) ? `'${safe}` : safe;
}

/** A text with quotes where a reader of some locale would split it otherwise (RFC 4180). */
export function quotedCell(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
