import { searchQuery } from '#database/names/folded-names.js';
import { isUuid } from '#web/uuid.js';

const ID_START = /^[0-9a-f]{8}(?:-[0-9a-f-]{0,27})?$/;
const NUMBER_DIGITS = 6;
const DIGITS = /^\d{1,9}$/;
const KEY_END = /^[A-Za-z0-9_-]{4}$/;
const SERIES = ['INV', 'CN', 'TEST-INV', 'TEST-CN'] as const;
const WORDS_MAX = 8;

/** The meanings that a text can have; null and empty: it cannot have that one. */
export interface SearchTerms {
  readonly id: string | null;
  /** Least and greatest id with that beginning. */
  readonly ids: readonly [from: string, to: string] | null;
  /** Beginnings of words, a `tsquery`. */
  readonly words: string;
  readonly numbers: readonly string[];
  readonly numberStart: string | null;
  readonly keyEnd: string | null;
}

/** Reads a text that somebody looks for. */
export function searchTerms(text: string): SearchTerms {
  const lower = text.toLowerCase();
  const id = isUuid(lower) ? lower : null;
  const upper = text.toUpperCase();
  return {
    id,
    ids: id === null && ID_START.test(lower) ? [filled(lower, '0'), filled(lower, 'f')] : null,
    words: id === null ? searchQuery(text, WORDS_MAX) : '',
    numbers: DIGITS.test(text)
      ? SERIES.map((series) => `${series}-${text.padStart(NUMBER_DIGITS, '0')}`)
      : [],
    numberStart: SERIES.some((series) => upper.startsWith(`${series}-`)) ? upper : null,
    keyEnd: KEY_END.test(text) ? text : null,
  };
}

/** The beginning of a UUID with all that is missing. */
function filled(start: string, digit: string): string {
  const digits = start.replaceAll('-', '').padEnd(32, digit).slice(0, 32);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
