import fc from 'fast-check';
import { converted, RATE, rateOn } from './exchange-rates.js';

const rateOf = (date: string, rate = '1.1') => ({ date, rate, source: 'ECB' });
const rates = [rateOf('2026-11-20'), rateOf('2026-11-13'), rateOf('2026-12-01')];

test.each([
  ['2026-11-20', '2026-11-20'],
  ['2026-11-22', '2026-11-20'],
  ['2026-11-27', '2026-11-20'],
  ['2026-11-28', undefined],
  ['2026-11-19', '2026-11-13'],
  ['2026-11-12', undefined],
  ['2026-12-02', '2026-12-01'],
])('on %s the rate of %s counts', (day, date) => {
  expect(rateOn(rates, day)?.date).toBe(date);
});

test.each([
  [10_000, 'USD', 'EUR', '0.92', 9_200],
  [1, 'USD', 'EUR', '0.5', 1],
  [-1, 'USD', 'EUR', '0.5', -1],
  [1, 'USD', 'EUR', '0.4999999999', 0],
  [1_500, 'JPY', 'EUR', '0.0061', 915],
  [1_234, 'EUR', 'JPY', '163.5', 2_018],
  [12_345, 'KWD', 'EUR', '3.0', 3_704],
  [12_345, 'EUR', 'KWD', '0.333333', 41_150],
])('%d of %s is in %s at %s: %d', (amount, from, to, rate, expected) => {
  expect(converted(amount, from, to, rate)).toBe(expected);
});

test('at a rate of 1 an amount stays, and signs do not matter', () => {
  const amount = fc.integer({ min: 0, max: 1e10 });
  const rate = fc.integer({ min: 1, max: 1e9 }).map((scaled) => (scaled / 1e4).toFixed(4));
  fc.assert(
    fc.property(amount, rate, (minor, one) => {
      expect(converted(minor, 'EUR', 'USD', '1.0000')).toBe(minor);
      expect(converted(-minor, 'EUR', 'USD', one)).toBe(0 - converted(minor, 'EUR', 'USD', one));
    }),
  );
});

test.each([
  ['1', true],
  ['0.0061', true],
  ['163.5000', true],
  ['0', false],
  ['0.000', false],
  ['-1', false],
  ['1,5', false],
  ['.5', false],
  ['01', false],
  ['1e3', false],
])('%s is a rate: %p', (text, expected) => {
  expect(RATE.test(text)).toBe(expected);
});
