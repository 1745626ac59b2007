import { namesApart, ticksUpTo } from './scale.js';

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [10, [0, 5, 10]],
  [70, [0, 20, 40, 60, 80]],
  [50_000, [0, 20_000, 40_000, 60_000]],
  [90_000, [0, 25_000, 50_000, 75_000, 100_000]],
])('the axis up to %i has round values, the last at or above it', (most, ticks) => {
  expect(ticksUpTo(most)).toEqual(ticks);
});

test('names are left out where they would touch', () => {
  expect(namesApart(3, 60)).toBe(1);
  expect(namesApart(10, 60)).toBe(2);
  expect(namesApart(10, 0)).toBeGreaterThan(1);
});
