import { presetsOf } from './usage-presets.js';

test.each([
  ['2026-11-28', '2026-11-01', '2026-10-01', '2026-11-01', '2026-11-01'],
  ['2026-01-01', '2026-01-01', '2025-12-01', '2026-01-01', '2025-12-05'],
])('ranges of %s', (today, month, lastFrom, lastTo, weeks) => {
  const [thisMonth, lastMonth, fourWeeks] = presetsOf(today);
  expect(thisMonth?.from).toBe(month);
  expect([lastMonth?.from, lastMonth?.to]).toEqual([lastFrom, lastTo]);
  expect(fourWeeks?.from).toBe(weeks);
  expect(fourWeeks?.to).toBe(thisMonth?.to);
});
