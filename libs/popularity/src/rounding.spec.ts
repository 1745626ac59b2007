import fc from 'fast-check';
import { decimalText, divideHalfEven } from './rounding.js';

describe('divideHalfEven', () => {
  it.each([
    [5n, 2n, 2n],
    [7n, 2n, 4n],
    [-5n, 2n, -2n],
    [-7n, 2n, -4n],
    [1n, 2n, 0n],
    [-1n, 2n, 0n],
    [3n, 2n, 2n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [-2n, 3n, -1n],
    [25n, 10n, 2n],
    [25_000_001n, 10_000_000n, 3n],
    [0n, 7n, 0n],
    [6n, 3n, 2n],
  ])('rounds %s / %s to %s', (numerator, denominator, rounded) => {
    expect(divideHalfEven(numerator, denominator)).toBe(rounded);
  });

  it('is never further than a half from the quotient, and even where it is exactly that', () => {
    const numerators = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    fc.assert(
      fc.property(numerators, fc.bigInt({ min: 1n, max: 10n ** 6n }), (numerator, denominator) => {
        const rounded = divideHalfEven(numerator, denominator);
        const twice = 2n * (rounded * denominator - numerator);
        const distance = twice < 0n ? -twice : twice;
        expect(distance <= denominator).toBe(true);
        if (distance === denominator) expect(rounded % 2n).toBe(0n);
      }),
    );
  });

  it.each([0n, -1n])('refuses the denominator %s', (denominator) => {
    expect(() => divideHalfEven(1n, denominator)).toThrow(RangeError);
  });
});

describe('decimalText', () => {
  it.each([
    [0n, 4, '0'],
    [1n, 4, '0.0001'],
    [-1n, 4, '-0.0001'],
    [10_000n, 4, '1'],
    [123_400n, 4, '12.34'],
    [-123_456n, 4, '-12.3456'],
    [500_000n, 6, '0.5'],
    [42n, 0, '42'],
    [-100n, 0, '-100'],
    [900_719_925_474_099_312_345n, 4, '90071992547409931.2345'],
  ])('writes %s at %s decimals as %s', (scaled, decimals, text) => {
    expect(decimalText(scaled, decimals)).toBe(text);
  });

  it('writes what JSON writes for every number that a double holds exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), (scaled) => {
        const text = decimalText(BigInt(scaled), 4);
        expect(Math.round(Number(text) * 10_000)).toBe(scaled);
        if (Math.abs(scaled) >= 1) expect(JSON.stringify(Number(text))).toBe(text);
      }),
    );
  });
});
