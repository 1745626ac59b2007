import { shareOf } from './rounding.js';

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
