import { divideHalfUp } from '#account/rounding.js';
import { parseDate } from '#calendar/civil-date.js';
import { decimalsOf } from './currencies.js';
import { toSafeInteger } from './money.js';

/** The value of one unit of a currency in another one, on a day. */
export interface ExchangeRate {
  /** Local date. */
  readonly date: string;
  /** An exact decimal above 0: `1.0825`. */
  readonly rate: string;
  /** Who published it. */
  readonly source: string;
}

/** Rates of an invoice's currency in the currency in which the seller owes tax. */
export interface Exchange {
  readonly currency: string;
  readonly rates: readonly ExchangeRate[];
}

/** A rate is for its day, and for so many days after it unless a newer one is there. */
export const RATE_DAYS = 7;
/** Above 0, with at most ten digits before the point, and ten behind it and its zeros. */
export const RATE = /^(?:[1-9]\d{0,9}(?:\.\d{1,10})?|0\.0{0,9}[1-9]\d{0,9})$/;

/** The rate that counts on a day: of that day, else the newest of the 7 days before it. */
export function rateOn(rates: readonly ExchangeRate[], day: string): ExchangeRate | undefined {
  const at = dayOf(day);
  let newest: ExchangeRate | undefined;
  for (const rate of rates) {
    const age = at - dayOf(rate.date);
    if (age < 0 || age > RATE_DAYS) continue;
    if (newest === undefined || rate.date > newest.date) newest = rate;
  }
  return newest;
}

function dayOf(date: string): number {
  const day = parseDate(date);
  if (day === undefined) throw new RangeError(`"${date}" is not a date.`);
  return day;
}

/**
 * An amount of minor units in another currency, rounded half up, away from zero, once. Throws
 * AmountOutOfRangeError.
 */
export function converted(amount: number, from: string, to: string, rate: string): number {
  const [whole = '0', fraction = ''] = rate.split('.');
  const digits = BigInt(whole + fraction);
  const shift = decimalsOf(to) - decimalsOf(from) - fraction.length;
  const scaled = BigInt(amount) * digits * 10n ** BigInt(Math.max(0, shift));
  return toSafeInteger(divideHalfUp(scaled, 10n ** BigInt(Math.max(0, -shift))), 'The tax');
}
