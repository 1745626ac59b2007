// Days are labels in the billing zone (`2026-11-17`): counting them knows no clock and no zone.

const DAY_MS = 86_400_000;
export const DAYS_A_WEEK = 7;

function utc(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** `2026-11-30`, 2 → `2026-12-02` */
export function addDays(day: string, days: number): string {
  return new Date(utc(day) + days * DAY_MS).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return Math.round((utc(to) - utc(from)) / DAY_MS);
}

/** The day that a moment lies in, in a zone. */
export function dayOf(at: string | number, zone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return format.format(new Date(at));
}

/** `2026-11-17` → `Tue` */
export function weekday(day: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' });
  return format.format(utc(day));
}

/** `2026-11-17` → `17 Nov` */
export function shortDay(day: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  return format.format(utc(day));
}

/** `2026-11-17` → `November` */
export function monthName(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' }).format(utc(day));
}

/** The seven days, Tuesday first, of the window before whose end nothing of the next one lies. */
export function windowDays(windowEndsAt: string, zone: string): string[] {
  const next = dayOf(windowEndsAt, zone);
  return Array.from({ length: DAYS_A_WEEK }, (_, index) => addDays(next, index - DAYS_A_WEEK));
}

/** The Tuesday of an ISO week: `2026w47` → `2026-11-17`. */
export function tuesdayOf(label: string): string {
  const [year = '', week = ''] = label.split('w');
  // The fourth of January lies in the first week, whose Monday is found from it.
  const fourth = `${year}-01-04`;
  const sinceMonday = (new Date(utc(fourth)).getUTCDay() + 6) % DAYS_A_WEEK;
  return addDays(fourth, -sinceMonday + (Number(week) - 1) * DAYS_A_WEEK + 1);
}

/** The window that a day lies in, for any day of its week from Tuesday to Monday. */
export function windowOf(day: string): string {
  const sinceTuesday = (new Date(utc(day)).getUTCDay() + 5) % DAYS_A_WEEK;
  const tuesday = addDays(day, -sinceTuesday);
  // An ISO week belongs to the year of its Thursday.
  const thursday = addDays(tuesday, 2);
  const year = thursday.slice(0, 4);
  const week = Math.floor(daysBetween(`${year}-01-01`, thursday) / DAYS_A_WEEK) + 1;
  return `${year}w${String(week).padStart(2, '0')}`;
}

/** Windows from one to another, both with them; none where there is no first or last. */
export function windowsBetween(first: string | undefined, last: string | undefined): string[] {
  const windows: string[] = [];
  if (first === undefined || last === undefined) return windows;
  const end = tuesdayOf(last);
  for (let day = tuesdayOf(first); day <= end; day = addDays(day, DAYS_A_WEEK)) {
    windows.push(windowOf(day));
  }
  return windows;
}

/** First day of the next month: `2026-12` → `2027-01-01`. */
export function firstOfNextMonth(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01-01` : `${year}-${String(number + 1).padStart(2, '0')}-01`;
}

/** Months from that of one day to that of another: `2026-10`, `2026-11`. */
export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = [];
  for (let day = from; day.slice(0, 7) <= to.slice(0, 7);) {
    months.push(day.slice(0, 7));
    day = firstOfNextMonth(day.slice(0, 7));
  }
  return months;
}

/** Whether an address may hold it as a day or a moment. */
export function isMoment(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text));
}
