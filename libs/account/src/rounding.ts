// Exact arithmetic of money; `libs/billing/src/money.ts` holds currencies and errors.

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Rounds a quotient to the nearest integer, a half away from zero. The divisor is above 0. */
export function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  const rounded = (2n * magnitude(dividend) + divisor) / (2n * divisor);
  return dividend < 0n ? -rounded : rounded;
}

/** Rounds a quotient to the nearest integer, a half to the even one. The divisor is above 0. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const up = divideHalfUp(dividend, divisor);
  const isHalf = 2n * magnitude(dividend % divisor) === divisor;
  if (!isHalf || up % 2n === 0n) return up;
  return dividend < 0n ? up + 1n : up - 1n;
}

/**
 * The part of an amount that belongs to the first `part` of `whole` units, rounded half even. As a
 * difference of two such parts is the share of what lies between them, shares add up to the whole.
 */
export function shareOf(amount: number, part: number, whole: number): number {
  if (whole === 0) return 0;
  return Number(divideHalfEven(BigInt(amount) * BigInt(part), BigInt(whole)));
}
