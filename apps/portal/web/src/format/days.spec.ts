import * as fc from 'fast-check';
import {
  addDays,
  dayOf,
  daysBetween,
  firstOfNextMonth,
  monthsBetween,
  shortDay,
  tuesdayOf,
  weekday,
  windowDays,
  windowOf,
} from './days.js';

test.each([
  ['2020-12-29', '2020w53'],
  ['2021-01-04', '2020w53'],
  ['2024-12-31', '2025w01'],
  ['2025-12-30', '2026w01'],
  ['2026-05-26', '2026w22'],
  ['2026-12-29', '2026w53'],
])('the day %s lies in window %s', (day, label) => {
  expect(windowOf(day)).toBe(label);
});

const days = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

test('a window begins with its Tuesday, at most six days before each of its days', () => {
  fc.assert(
    fc.property(days, (day) => {
      const tuesday = tuesdayOf(windowOf(day));
      expect(weekday(tuesday)).toBe('Tue');
      const since = daysBetween(tuesday, day);
      expect(since).toBeGreaterThanOrEqual(0);
      expect(since).toBeLessThan(7);
    }),
  );
});

test('the days of a window end before the day of the rollover, in the billing zone', () => {
  expect(windowDays('2026-11-23T15:00:00Z', 'Asia/Seoul')).toEqual([
    '2026-11-17',
    '2026-11-18',
    '2026-11-19',
    '2026-11-20',
    '2026-11-21',
    '2026-11-22',
    '2026-11-23',
  ]);
});

test('a moment lies in the day of its zone', () => {
  expect(dayOf('2026-11-23T23:59:59.999Z', 'UTC')).toBe('2026-11-23');
  expect(dayOf('2026-11-23T23:59:59.999Z', 'Europe/Berlin')).toBe('2026-11-24');
});

test('counting days crosses months, years and clock changes', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(addDays('2026-10-26', -7)).toBe('2026-10-19');
  expect(shortDay('2026-11-03')).toBe('3 Nov');
  expect(firstOfNextMonth('2026-12')).toBe('2027-01-01');
  expect(firstOfNextMonth('2026-01')).toBe('2026-02-01');
});

test('months are counted from the first to the last, across years', () => {
  expect(monthsBetween('2026-11-30', '2027-01-01')).toEqual(['2026-11', '2026-12', '2027-01']);
  expect(monthsBetween('2026-11-01', '2026-11-30')).toEqual(['2026-11']);
});
