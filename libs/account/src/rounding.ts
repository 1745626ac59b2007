// Exact arithmetic of money; `libs/invoice-rules/src/money.ts` holds currencies and errors.

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

/** Value of the last `credits` of a purchase, net in minor units. */
export interface Worth {
  readonly amount: number;
  readonly credits: number;
}

/**
 * Value of the credits that are left of a purchase: credits are worth their share of the price, in
 * the order in which they go.
 */
export function worthOf({ amount, credits }: Worth, left: number): number {
  return amount - shareOf(amount, credits - left, credits);
}

/** Credits that go with a part of the value of those that are left; all go with all of it. */
export function creditsWorth(amount: number, left: number, worth: number): number {
  if (amount === worth) return left;
  return Number((BigInt(amount) * BigInt(left)) / BigInt(worth));
}

/** The worth of what is left of a purchase, once some of its credits went for an amount. */
export function worthAfter(worth: Worth, before: number, left: number, amount: number): Worth {
  return { amount: worthOf(worth, before) - amount, credits: left };
}
