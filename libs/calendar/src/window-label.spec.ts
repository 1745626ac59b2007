import fc from 'fast-check';
import { formatDate, parseDate } from './civil-date.js';
import {
  isWindowLabel,
  tuesdayOfWeek,
  weekOfDay,
  weekOfLabel,
  windowLabel,
} from './window-label.js';

const TUESDAYS = `
  1990-01-02  1990w01
  1992-12-29  1992w53
  1998-12-29  1998w53
  2004-12-28  2004w53
  2009-12-29  2009w53
  2015-12-29  2015w53
  2018-12-25  2018w52
  2019-01-01  2019w01
  2020-12-29  2020w53
  2021-01-05  2021w01
  2024-12-24  2024w52
  2024-12-31  2025w01
  2025-12-23  2025w52
  2025-12-30  2026w01
  2026-05-26  2026w22
  2026-11-17  2026w47
  2026-12-29  2026w53
  2027-01-05  2027w01
  2032-12-28  2032w53
`;
const rows = TUESDAYS.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/) as [string, string]);

describe('the label of a week', () => {
  it.each(rows)('of the Tuesday %s is %s', (tuesday, label) => {
    const week = weekOfDay(parseDate(tuesday) ?? NaN);
    expect(windowLabel(week)).toBe(label);
    expect(weekOfLabel(label)).toBe(week);
    expect(formatDate(tuesdayOfWeek(week))).toBe(tuesday);
  });

  it('holds the six days after its Tuesday, and no more', () => {
    const tuesday = parseDate('2020-12-29') ?? NaN;
    const labels = [-1, 0, 6, 7].map((days) => windowLabel(weekOfDay(tuesday + days)));
    expect(labels).toEqual(['2020w52', '2020w53', '2020w53', '2021w01']);
  });

  it.each([
    '2026w54',
    '2026w00',
    '2026w99',
    '2025w53',
    '2021w53',
    '2024w53',
    '2026w7',
    '2026w007',
    '2026W47',
    '2026-47',
    '26w47',
    ' 2026w47',
    '2026w47\n',
    '0999w10',
    'latest',
    '',
    '2026w4a',
    '+026w47',
    '2026w٤٧',
  ])('is not %j', (text) => {
    expect(isWindowLabel(text)).toBe(false);
  });

  it('exists 53 times in 71 of 400 years, as the Gregorian calendar repeats', () => {
    const years = Array.from({ length: 400 }, (_, i) => 1900 + i);
    expect(years.filter((year) => isWindowLabel(`${year}w53`))).toHaveLength(71);
  });

  it('sorts as text in the order of time, is unique and comes back', () => {
    const weeks = fc.integer({ min: weekOfDay(-354_000), max: weekOfDay(2_900_000) });
    fc.assert(
      fc.property(weeks, weeks, (a, b) => {
        const [first, second] = [windowLabel(a), windowLabel(b)];
        expect(Math.sign(a - b)).toBe(first < second ? -1 : first > second ? 1 : 0);
        expect(weekOfLabel(first)).toBe(a);
      }),
      { numRuns: 2000 },
    );
  });
});
