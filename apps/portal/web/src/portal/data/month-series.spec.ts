import { monthsBefore, withGaps } from './month-series.js';

test('a month without a volume is a gap, not a zero', () => {
  const points = [
    { date: '2026-08-01', real_volume: 5 },
    { date: '2026-10-01', real_volume: 0 },
  ];
  expect(withGaps(points)).toEqual([
    { date: '2026-08-01', value: 5 },
    { date: '2026-09-01', value: null },
    { date: '2026-10-01', value: 0 },
  ]);
  expect(withGaps([])).toEqual([]);
});

test('months are counted across years', () => {
  expect(monthsBefore('2026-10-01', 12)).toBe('2025-10-01');
  expect(monthsBefore('2026-12-01', -1)).toBe('2027-01-01');
});
