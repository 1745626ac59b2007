import { dayNumber, formatDate } from './civil-date.js';
import type { SpanKind } from './tiling.js';
import { tuesdayOfWeek, weekOfDay, windowLabel } from './window-label.js';

/** Weeks from Tuesday to Monday, numbered from that of 1970-01-06. */
export const TUESDAY_WEEKS: SpanKind = {
  firstDay: tuesdayOfWeek,
  ofDay: weekOfDay,
  label: windowLabel,
};

/** Calendar months, numbered from January 1970. */
export const CALENDAR_MONTHS: SpanKind = {
  firstDay: (n) => dayNumber(1970, n + 1, 1),
  ofDay: (day) => monthNumber(formatDate(day)),
  label: (n) => formatDate(dayNumber(1970, n + 1, 1)).slice(0, 7),
};

/** Calendar days, numbered as day numbers are. */
export const CALENDAR_DAYS: SpanKind = {
  firstDay: (day) => day,
  ofDay: (day) => day,
  label: formatDate,
};

/** The number of the month that a date or a month's label begins with. */
export function monthNumber(label: string): number {
  return (Number(label.slice(0, 4)) - 1970) * 12 + Number(label.slice(5, 7)) - 1;
}
