import { monthBefore } from './month-before.js';

describe('the month before', () => {
  it.each([
    ['2026-11-22', '2026-10'],
    ['2026-01-01', '2025-12'],
    ['2026-03-31', '2026-02'],
  ])('%s lies after %s', (day, month) => {
    expect(monthBefore(day)).toBe(month);
  });
});
