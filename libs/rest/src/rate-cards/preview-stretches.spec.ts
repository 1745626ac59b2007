import { narrowed } from './preview-stretches.js';

const DAY = 86_400_000;
const whole = { lane: 7, accountId: null, after: 0, last: 10_000 };

/** Samples of a lane: position 1,000 at day 1, 2,000 at day 2, … by default. */
function samples(days: readonly number[]) {
  return days.map((day, index) => ({ position: 1_000 * (index + 1), at: day * DAY }));
}

describe('the part of a lane between two moments', () => {
  // Days of the samples, from, to, and what is looked at: after a position, up to another.
  it.each<[readonly number[], number, number, number, number]>([
    [[], 3, 5, 0, 10_000],
    [[1, 2, 3, 4, 5, 6, 7, 8], 4, 5, 2_000, 6_000],
    [[1, 2, 3, 4, 5, 6, 7, 8], 1, 2, 0, 3_000],
    [[1, 2, 3, 4, 5, 6, 7, 8], 8, 20, 6_000, 10_000],
    [[1, 2, 3], 30, 31, 3_000, 10_000],
    [[11, 12, 13], 1, 2, 0, 1_000],
    // Accounts one after the other, each in its own order: only the ends are left out.
    [[1, 2, 3, 4, 1, 2, 3, 4], 3, 3.5, 1_000, 10_000],
    [[1, 5, 9, 1, 5, 9], 5, 6, 1_000, 6_000],
  ])(
    'of samples %j from day %d to day %d lies after %d up to %d',
    (days, from, to, after, last) => {
      const found = narrowed(whole, samples(days), from * DAY, to * DAY);
      expect(found).toEqual({ ...whole, after, last });
    },
  );
});
