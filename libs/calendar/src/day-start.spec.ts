import { startOfDay } from './day-start.js';
import type { OffsetAt } from './day-start.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** 2026-11-24, a Tuesday; its midnight in UTC is `MIDNIGHT`. */
const TUESDAY = 20_781;
const MIDNIGHT = TUESDAY * DAY;

/** A zone that is at one offset (hours) before an instant and at another from it on. */
function zone(before: number, after: number, change: number): OffsetAt {
  return (instant) => (instant < change ? before : after) * HOUR;
}

describe('the first instant of a day', () => {
  it('is midnight where the offset stays', () => {
    expect(startOfDay(TUESDAY, () => 0)).toBe(MIDNIGHT);
    expect(startOfDay(TUESDAY, () => 14 * HOUR)).toBe(MIDNIGHT - 14 * HOUR);
    expect(startOfDay(TUESDAY, () => -12 * HOUR)).toBe(MIDNIGHT + 12 * HOUR);
  });

  it('is midnight where the clock is changed later or earlier in the day', () => {
    expect(startOfDay(TUESDAY, zone(0, 1, MIDNIGHT + 2 * HOUR))).toBe(MIDNIGHT);
    expect(startOfDay(TUESDAY, zone(0, 1, MIDNIGHT - 2 * HOUR))).toBe(MIDNIGHT - HOUR);
  });

  it('is 01:00 where the clock is put forward at midnight', () => {
    expect(startOfDay(TUESDAY, zone(0, 1, MIDNIGHT))).toBe(MIDNIGHT);
  });

  it('is 00:30 where the clock is put forward at 23:30', () => {
    const change = MIDNIGHT - HOUR / 2;
    expect(startOfDay(TUESDAY, zone(0, 1, change))).toBe(change);
  });

  it('is the second midnight where the clock is put back at midnight, so that none began before', () => {
    expect(startOfDay(TUESDAY, zone(1, 0, MIDNIGHT - HOUR))).toBe(MIDNIGHT);
  });

  it('is the first midnight where the clock is put back over it from 00:30 to 23:30', () => {
    const change = MIDNIGHT - HOUR / 2;
    expect(startOfDay(TUESDAY, zone(1, 0, change))).toBe(MIDNIGHT - HOUR);
  });

  it('is that of the next day where the day is left out', () => {
    // The date line moves: after Monday 24:00 at -10 hours comes Wednesday 00:00 at +14.
    const change = MIDNIGHT + 10 * HOUR;
    const starts = [0, 1, 2].map((days) => startOfDay(TUESDAY + days, zone(-10, 14, change)));
    expect(starts).toEqual([change, change, change + DAY]);
  });

  it('is the first of the two where a whole day is lived twice', () => {
    // After Tuesday 24:00 at +14 hours the same Tuesday begins again at -10.
    const change = MIDNIGHT + 10 * HOUR;
    const starts = [0, 1].map((days) => startOfDay(TUESDAY + days, zone(14, -10, change)));
    expect(starts).toEqual([MIDNIGHT - 14 * HOUR, change + DAY]);
  });
});
