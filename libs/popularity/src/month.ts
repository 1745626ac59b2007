import { shown } from './fault.js';

const MONTH = /^(\d{4})-(\d{2})-01$/;
const FIRST_YEAR = 1900;
const LAST_YEAR = 2199;

/**
 * The number of a month, counted so that the next month is one more: `2026-01-01` is 24312.
 * Undefined for text that is not the first day of a month from 1900 to 2199.
 */
export function monthNumber(text: string): number | undefined {
  const match = MONTH.exec(text);
  if (match === null) return undefined;
  const year = Number(match[1]);
  const month = Number(match[2]);
  if (month < 1 || month > 12 || year < FIRST_YEAR || year > LAST_YEAR) return undefined;
  return year * 12 + month - 1;
}

/** Why `monthNumber` did not take a text. */
export function monthFault(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])-01$/.test(text)) {
    return `${shown(text)} is not from ${FIRST_YEAR} to ${LAST_YEAR}`;
  }
  return `${shown(text)} is not a month like 2015-07-01`;
}

/** The first day of a month given by its number, `YYYY-MM-01`. */
export function monthText(month: number): string {
  const year = Math.floor(month / 12);
  return `${String(year).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;
}
