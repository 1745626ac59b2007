import { TUESDAY_WEEKS, CALENDAR_DAYS } from './span-kinds.js';
import { startOfDay } from './day-start.js';
import { Tiling } from './tiling.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** 2026-11-24, a Tuesday, in a zone whose clock leaves that whole day out. */
const TUESDAY = 20_781;
const CHANGE = TUESDAY * DAY + 10 * HOUR;
const starts = (day: number) => startOfDay(day, (instant) => (instant < CHANGE ? -10 : 14) * HOUR);

describe('spans in a row', () => {
  it('begin a week on Wednesday where its Tuesday is left out', () => {
    const weeks = new Tiling(TUESDAY_WEEKS, starts);
    expect(weeks.at(CHANGE)).toEqual({
      label: '2026w48',
      startsAt: CHANGE,
      endsAt: CHANGE + 6 * DAY,
    });
    expect(weeks.at(CHANGE - 1).label).toBe('2026w47');
  });

  it('never answer with the day that was left out', () => {
    const days = new Tiling(CALENDAR_DAYS, starts);
    expect(days.at(CHANGE - 1).label).toBe('2026-11-23');
    expect(days.at(CHANGE).label).toBe('2026-11-25');
    expect(days.nth(TUESDAY)).toEqual({ label: '2026-11-24', startsAt: CHANGE, endsAt: CHANGE });
  });

  it('are the same after more of them were asked for than are kept', () => {
    const days = new Tiling(CALENDAR_DAYS, starts);
    const first = days.nth(0);
    for (let day = 1; day <= 1500; day += 1)
      expect(days.nth(day).startsAt).toBe(first.startsAt + day * DAY);
    expect(days.nth(0)).not.toBe(first);
    expect(days.nth(0)).toEqual(first);
  });

  it('ask for a day’s start once while they keep it', () => {
    const asked: number[] = [];
    const weeks = new Tiling(TUESDAY_WEEKS, (day) => {
      asked.push(day);
      return day * DAY;
    });
    for (let hour = 0; hour < 168; hour += 1) weeks.at(TUESDAY * DAY + hour * HOUR);
    expect(asked).toEqual([TUESDAY, TUESDAY + 7]);
  });

  it.each([NaN, Infinity, -Infinity, 9e15, Date.UTC(10_000, 0, 1), Date.UTC(999, 11, 31)])(
    'refuse %p, which no calendar holds',
    (instant) => {
      expect(() => new Tiling(CALENDAR_DAYS, (day) => day * DAY).at(instant)).toThrow(RangeError);
    },
  );
});
