import { dayNumber } from './civil-date.js';

const LABEL = /^[1-9]\d{3}w\d{2}$/;
/** 1970-01-06 was a Tuesday: Tuesdays are the days 7n + 5. */
const FIRST_TUESDAY = 5;

/** The day number of the Tuesday of a week, counted from the Tuesday 1970-01-06 as week 0. */
export function tuesdayOfWeek(week: number): number {
  return week * 7 + FIRST_TUESDAY;
}

/** The week, counted as in `tuesdayOfWeek`, whose Tuesday to Monday holds a day number. */
export function weekOfDay(day: number): number {
  return Math.floor((day - FIRST_TUESDAY) / 7);
}

/** The label of a week: ISO week-year and ISO week of its Tuesday, `2026w47`. */
export function windowLabel(week: number): string {
  // An ISO week belongs to the year of its Thursday, two days after the Tuesday.
  const thursday = tuesdayOfWeek(week) + 2;
  const year = new Date(thursday * 86_400_000).getUTCFullYear();
  const number = Math.floor((thursday - dayNumber(year, 1, 1)) / 7) + 1;
  return `${year}w${String(number).padStart(2, '0')}`;
}

/** The week that a label names, or undefined unless it is the one canonical label of a week. */
export function weekOfLabel(label: string): number | undefined {
  if (!LABEL.test(label)) return undefined;
  const number = Number(label.slice(5));
  if (number < 1 || number > 53) return undefined;
  // 4 January always lies in the first ISO week; its Monday may lie in the year before.
  const january4 = dayNumber(Number(label.slice(0, 4)), 1, 4);
  const monday = january4 - ((((january4 + 3) % 7) + 7) % 7);
  const week = weekOfDay(monday + 1) + number - 1;
  return windowLabel(week) === label ? week : undefined;
}

/**
 * Whether a text is the label of a week that exists: `2026w53` is one, `2025w53`, `2026w54` and
 * `2026w7` are not. Labels sort as text in the order of time. Specification 9.
 */
export function isWindowLabel(text: string): boolean {
  return weekOfLabel(text) !== undefined;
}
