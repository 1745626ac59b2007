import fc from 'fast-check';
import { Calendar } from './calendar.js';
import type { Span } from './span.js';

const HOUR = 3_600_000;
const QUARTER = HOUR / 4;
const ZONES = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])];

const calendars = new Map(ZONES.map((zone) => [zone, new Calendar(zone)]));
const formats = new Map<string, Intl.DateTimeFormat>();

/** The local date by another way than the calendar's own. */
function localDate(zone: string, instant: number): string {
  let format = formats.get(zone);
  if (format === undefined) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...parts });
    formats.set(zone, format);
  }
  return format.format(instant);
}

function calendarOf(zone: string): Calendar {
  const calendar = calendars.get(zone);
  if (calendar === undefined) throw new Error(`no calendar of ${zone}`);
  return calendar;
}

/** Whether a span begins at the first instant whose local date is `date` or later. */
function expectFirstInstant(zone: string, startsAt: number, date: string): void {
  expect(localDate(zone, startsAt) >= date).toBe(true);
  for (let before = startsAt - 1; before > startsAt - 30 * HOUR; before -= QUARTER) {
    if (localDate(zone, before) >= date) throw new Error(`${zone} was at ${date} before its start`);
  }
}

const zones = fc.constantFrom(...ZONES);
const instants = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2101, 0, 1) - 1 });
/** The years in which zones were changed most. */
const unruly = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2013, 0, 1) });
const anyInstant = fc.oneof(instants, unruly);

describe('in every zone, from 1990 to 2100', () => {
  it('every instant lies in exactly one window, and windows follow without a gap', () => {
    fc.assert(
      fc.property(zones, anyInstant, (zone, instant) => {
        const calendar = calendarOf(zone);
        const window = calendar.windowAt(instant);
        expect(window.startsAt <= instant && instant < window.endsAt).toBe(true);
        const [previous, next] = [calendar.previousWindow(window), calendar.nextWindow(window)];
        expect([previous.endsAt, next.startsAt]).toEqual([window.startsAt, window.endsAt]);
        expect(previous.label < window.label && window.label < next.label).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('a window comes back from its label, from both of its ends and in a fresh calendar', () => {
    fc.assert(
      fc.property(zones, anyInstant, (zone, instant) => {
        const window = calendarOf(zone).windowAt(instant);
        expect(calendarOf(zone).windowOf(window.label)).toEqual(window);
        const fresh = new Calendar(zone);
        expect(fresh.windowAt(window.startsAt)).toEqual(window);
        expect(fresh.windowAt(window.endsAt - 1)).toEqual(window);
        expect(fresh.windowAt(window.endsAt).label > window.label).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('a window begins at the first instant whose local date is its Tuesday', () => {
    fc.assert(
      fc.property(zones, anyInstant, (zone, instant) => {
        const { startsAt } = calendarOf(zone).windowAt(instant);
        const date = localDate(zone, startsAt);
        // No zone has left out a Tuesday since 1990, so the date itself must be one.
        expect(new Date(date).getUTCDay()).toBe(2);
        expectFirstInstant(zone, startsAt, date);
      }),
      { numRuns: 1500 },
    );
  });

  it.each([
    ['months', (calendar: Calendar, t: number): Span => calendar.monthAt(t)],
    ['days', (calendar: Calendar, t: number): Span => calendar.dayAt(t)],
  ])('%s tile time and begin at the first instant of their first date', (_, spanAt) => {
    fc.assert(
      fc.property(zones, anyInstant, (zone, instant) => {
        const calendar = calendarOf(zone);
        const span = spanAt(calendar, instant);
        expect(span.startsAt <= instant && instant < span.endsAt).toBe(true);
        expect(spanAt(calendar, span.startsAt - 1).endsAt).toBe(span.startsAt);
        expect(spanAt(calendar, span.endsAt).startsAt).toBe(span.endsAt);
        expect(localDate(zone, span.startsAt).startsWith(span.label)).toBe(true);
        expectFirstInstant(zone, span.startsAt, span.label);
      }),
      { numRuns: 1000 },
    );
  });

  it('a month comes back from its label', () => {
    fc.assert(
      fc.property(zones, anyInstant, (zone, instant) => {
        const month = calendarOf(zone).monthAt(instant);
        expect(calendarOf(zone).monthOf(month.label)).toEqual(month);
      }),
      { numRuns: 500 },
    );
  });

  it('local time names the same instant', () => {
    fc.assert(
      fc.property(zones, anyInstant, (zone, instant) => {
        const text = calendarOf(zone).localTime(instant);
        expect(Date.parse(text)).toBe(instant);
        expect(text.slice(0, 10)).toBe(localDate(zone, instant));
      }),
      { numRuns: 1000 },
    );
  });
});
