const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The day number of a calendar date: days since 1970-01-01 in the proleptic Gregorian calendar,
 * in no time zone. `month` is 1 to 12 and may run over, as `day` may.
 */
export function dayNumber(year: number, month: number, day: number): number {
  return Math.floor(Date.UTC(year, month - 1, day) / DAY_MS);
}

/** `2026-11-24` for a day number. Years 1000 to 9999. */
export function formatDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The day number of a date `YYYY-MM-DD` (years 1000 to 9999), or undefined if there is no such. */
export function parseDate(text: string): number | undefined {
  if (!DATE.test(text) || text.startsWith('0')) return undefined;
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8, 10));
  const number = dayNumber(Number(text.slice(0, 4)), month, day);
  // Dates such as 02-30 run over into the next month.
  const found = new Date(number * DAY_MS);
  const isDate = found.getUTCDate() === day && found.getUTCMonth() + 1 === month;
  return isDate ? number : undefined;
}
