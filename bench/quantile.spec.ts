import fc from 'fast-check';
import { median, quantile } from './quantile.js';

const VALUES = fc.array(fc.double({ noNaN: true }), { minLength: 1 });

it.each([
  [[1, 2, 3, 4], 0.5, 2],
  [[4, 3, 2, 1], 0.99, 4],
  [[10], 0.5, 10],
  [[1, 2, 3], 0, 1],
])('of %j the value at %d is %d', (values, part, value) => {
  expect(quantile(values, part)).toBe(value);
});

it('at least that part of the values is not above it, and fewer are below it', () => {
  fc.assert(
    fc.property(VALUES, fc.double({ min: 0, max: 1, noNaN: true }), (values, part) => {
      const value = quantile(values, part);
      const isNotAbove = values.filter((each) => each <= value).length;
      const isBelow = values.filter((each) => each < value).length;
      expect(isNotAbove).toBeGreaterThanOrEqual(part * values.length);
      expect(isBelow === 0 || isBelow < part * values.length).toBe(true);
    }),
  );
});

it('the median of an even number of values lies between the two in the middle', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect([quantile([], 0.5), median([])]).toEqual([Number.NaN, Number.NaN]);
});
