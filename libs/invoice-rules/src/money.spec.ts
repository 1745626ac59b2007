import fc from 'fast-check';
import { divideHalfEven, divideHalfUp, shareOf } from '#account/rounding.js';
import { AmountOutOfRangeError, formatAmount, parseAmount } from './money.js';
import { priceOf, sumOf, toSafeInteger } from './money.js';

describe('an amount as text', () => {
  test.each([
    [61_775, 'EUR', '617.75'],
    [5, 'USD', '0.05'],
    [0, 'EUR', '0.00'],
    [-5, 'EUR', '-0.05'],
    [-61_775, 'EUR', '-617.75'],
    [61_775, 'JPY', '61775'],
    [-7, 'KRW', '-7'],
    [61_775, 'KWD', '61.775'],
    [1, 'TND', '0.001'],
    [1, 'BHD', '0.001'],
    [1, 'IQD', '0.001'],
    [61_775, 'IDR', '617.75'],
    [61_775, 'CLF', '6.1775'],
    [61_775, 'HRK', '617.75'],
    [Number.MAX_SAFE_INTEGER, 'EUR', '90071992547409.91'],
  ])('%d minor units of %s are %s', (minor, currency, text) => {
    expect(formatAmount(minor, currency)).toBe(text);
  });

  it('is exact: without its point it is the amount again', () => {
    const currency = fc.constantFrom('EUR', 'JPY', 'BHD');
    fc.assert(
      fc.property(fc.maxSafeInteger(), currency, (minor, code) => {
        const digits = formatAmount(minor, code).replace('.', '');
        expect(BigInt(digits)).toBe(BigInt(minor));
        expect(parseAmount(formatAmount(minor, code), code)).toBe(minor === 0 ? 0 : minor);
      }),
    );
  });

  test.each([
    ['1.5', 'EUR', 150],
    ['12', 'EUR', 1_200],
    ['12.500', 'EUR', 1_250],
    ['12.505', 'EUR', undefined],
    ['12.5', 'JPY', undefined],
    ['1,5', 'EUR', undefined],
    ['', 'EUR', undefined],
    ['90071992547409.92', 'EUR', undefined],
  ])('"%s" of %s is read as %s minor units', (text, currency, minor) => {
    expect(parseAmount(text, currency)).toBe(minor);
  });
});

// Dividend, divisor, half even, half up.
const ROUNDINGS = [
  [0n, 2n, 0n, 0n],
  [1n, 2n, 0n, 1n],
  [3n, 2n, 2n, 2n],
  [5n, 2n, 2n, 3n],
  [7n, 2n, 4n, 4n],
  [-1n, 2n, 0n, -1n],
  [-3n, 2n, -2n, -2n],
  [-5n, 2n, -2n, -3n],
  [1n, 3n, 0n, 0n],
  [2n, 3n, 1n, 1n],
  [-2n, 3n, -1n, -1n],
  [2_499n, 1_000n, 2n, 2n],
  [2_500n, 1_000n, 2n, 3n],
  [2_501n, 1_000n, 3n, 3n],
] as const;

test.each(ROUNDINGS)('%d / %d is %d half even and %d half up', (dividend, divisor, even, up) => {
  expect(divideHalfEven(dividend, divisor)).toBe(even);
  expect(divideHalfUp(dividend, divisor)).toBe(up);
});

test('a rounded quotient is nowhere more than a half away', () => {
  const divisor = fc.bigInt({ min: 1n, max: 10_000n });
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }), divisor, (dividend, by) => {
      for (const rounded of [divideHalfEven(dividend, by), divideHalfUp(dividend, by)]) {
        const error = 2n * (rounded * by - dividend);
        expect(error <= by && error >= -by).toBe(true);
      }
    }),
  );
});

// Credits, price of a thousand, what they cost.
test.each([
  [49_420, 1_250, 61_775],
  [49_421, 1_250, 61_776],
  [0, 1_250, 0],
  [1, 500, 0],
  [3, 500, 2],
  [5, 500, 2],
  [1, 501, 1],
  [10, 0, 0],
  [9_007_199_254_740_991, 1_000, 9_007_199_254_740_991],
])('%d credits at %d per thousand cost %d, rounded half even', (credits, price, amount) => {
  expect(priceOf(credits, price)).toBe(amount);
});

test('an amount that no safe integer holds is an error, never rounded', () => {
  expect(() => priceOf(Number.MAX_SAFE_INTEGER, 1_001)).toThrow(AmountOutOfRangeError);
  expect(() => sumOf([Number.MAX_SAFE_INTEGER, 1], 'The total')).toThrow(
    'The total is 9007199254740992: more than a safe integer holds.',
  );
  expect(toSafeInteger(-9_007_199_254_740_991n, 'It')).toBe(Number.MIN_SAFE_INTEGER);
});

test('the shares of an amount add up to it, however it is cut', () => {
  const cut = fc.record({
    amount: fc.nat(1_000_000),
    parts: fc.array(fc.nat(1_000), { minLength: 1 }),
  });
  fc.assert(
    fc.property(cut, ({ amount, parts }) => {
      const whole = parts.reduce((sum, part) => sum + part, 0);
      fc.pre(whole > 0);
      let end = 0;
      const shares = parts.map((part) => {
        const before = shareOf(amount, end, whole);
        end += part;
        return shareOf(amount, end, whole) - before;
      });
      expect(shares.every((share) => share >= 0)).toBe(true);
      expect(sumOf(shares, 'The shares')).toBe(amount);
    }),
  );
});
