import fc from 'fast-check';
import { dayNumber, formatDate, parseDate } from './civil-date.js';

describe('a calendar date', () => {
  it.each([
    ['1970-01-01', 0],
    ['1970-01-06', 5],
    ['1969-12-31', -1],
    ['2024-02-29', 19_782],
    ['2026-11-24', 20_781],
  ])('%s is day %i', (date, day) => {
    expect(parseDate(date)).toBe(day);
    expect(formatDate(day)).toBe(date);
  });

  it.each(['2026-02-29', '2026-13-01', '2026-00-10', '2026-11-00', '2026-11-31', '0999-01-01'])(
    '%s does not exist',
    (date) => expect(parseDate(date)).toBeUndefined(),
  );

  it.each(['', '2026-11', '2026-1-24', '20261124', '2026-11-24 ', '2026-11-24\n', '２026-11-24'])(
    '%j is no date',
    (text) => expect(parseDate(text)).toBeUndefined(),
  );

  it('comes back from its day number', () => {
    fc.assert(
      fc.property(fc.integer({ min: -354_000, max: 2_900_000 }), (day) => {
        expect(parseDate(formatDate(day))).toBe(day);
      }),
    );
  });

  it('takes days that run over into the next month', () => {
    expect(dayNumber(2026, 13, 1)).toBe(dayNumber(2027, 1, 1));
  });
});
