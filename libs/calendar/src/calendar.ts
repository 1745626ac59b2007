import { DateTime, IANAZone } from 'luxon';
import { parseDate } from './civil-date.js';
import { startOfDay } from './day-start.js';
import { CALENDAR_DAYS, CALENDAR_MONTHS, TUESDAY_WEEKS, monthNumber } from './span-kinds.js';
import { Tiling } from './tiling.js';
import type { Day, Month, Window } from './window.js';
import { weekOfLabel } from './window-label.js';

const OFFSET_NAME = /^[+-]/;
const MINUTE_MS = 60_000;

/**
 * Windows, months and days of one time zone. Instants are ms since 1970; spans include their start
 * and not their end; every instant of the years 1000 to 9999 lies in exactly one span of a kind.
 *
 * A window begins at the first instant whose local date is its Tuesday (specification 3 and 8.1)
 * and is named by the ISO week of that Tuesday. Months and days begin by the same rule.
 */
export class Calendar {
  private readonly windows: Tiling;
  private readonly months: Tiling;
  private readonly days: Tiling;
  private readonly startOfDay: (day: number) => number;

  /** Throws RangeError unless `zone` is the name of a zone of the IANA time zone database. */
  constructor(readonly zone: string) {
    // Newer engines take fixed offsets such as +01:00 for zones; the database has none so named.
    if (OFFSET_NAME.test(zone) || !IANAZone.isValidZone(zone)) {
      throw new RangeError(`"${zone}" is not the name of an IANA time zone.`);
    }
    const iana = IANAZone.create(zone);
    const offsetAt = (instant: number) => Math.round(iana.offset(instant) * MINUTE_MS);
    this.startOfDay = (day) => startOfDay(day, offsetAt);
    this.windows = new Tiling(TUESDAY_WEEKS, this.startOfDay);
    this.months = new Tiling(CALENDAR_MONTHS, this.startOfDay);
    this.days = new Tiling(CALENDAR_DAYS, this.startOfDay);
  }

  /** The window that an instant lies in. Throws RangeError outside the years 1000 to 9999. */
  windowAt(instant: number): Window {
    return this.windows.at(instant);
  }

  /** The window of a label such as `2026w47`; undefined if no week has exactly that label. */
  windowOf(label: string): Window | undefined {
    const week = weekOfLabel(label);
    return week === undefined ? undefined : this.windows.nth(week);
  }

  nextWindow(window: Window): Window {
    return this.windows.at(window.endsAt);
  }

  previousWindow(window: Window): Window {
    return this.windows.at(window.startsAt - 1);
  }

  /** The month that an instant lies in. Throws RangeError outside the years 1000 to 9999. */
  monthAt(instant: number): Month {
    return this.months.at(instant);
  }

  /** The month of a label such as `2026-11`, or undefined if there is no such month. */
  monthOf(label: string): Month | undefined {
    const exists = parseDate(`${label}-01`) !== undefined;
    return exists ? this.months.nth(monthNumber(label)) : undefined;
  }

  /**
   * The day that an instant lies in. Where the clock was put back over midnight, the hour lived a
   * second time belongs to the day that had begun. Throws RangeError as `windowAt` does.
   */
  dayAt(instant: number): Day {
    return this.days.at(instant);
  }

  /**
   * The first instant of a date `2026-11-24`; of a date that the zone left out, that of the next.
   * Throws RangeError for a text that is no date: ask `parseDate` about a stranger's.
   */
  startOfDate(date: string): number {
    const day = parseDate(date);
    if (day === undefined) throw new RangeError(`"${date}" is not a date.`);
    return this.startOfDay(day);
  }

  /**
   * RFC 3339 in local time with its offset, decimals only where there are some: for people.
   * Throws RangeError for what is no instant.
   */
  localTime(instant: number): string {
    const local = DateTime.fromMillis(instant, { zone: this.zone });
    const text = local.toISO({ suppressMilliseconds: true });
    if (text === null) throw new RangeError(`No calendar holds ${instant} ms.`);
    return text;
  }
}
