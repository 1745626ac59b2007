import { divideHalfEven } from '#account/rounding.js';
import { decimalsOf } from './currencies.js';

const CREDITS_PER_PRICE = 1000n;

/** Thrown for an amount or a sum of credits that no safe integer holds. */
export class AmountOutOfRangeError extends Error {
  override readonly name = 'AmountOutOfRangeError';
  constructor(what: string, value: bigint) {
    super(`${what} is ${value}: more than a safe integer holds.`);
  }
}

/** An amount of minor units as an exact decimal without grouping: `-617.75`; `618` of yen. */
export function formatAmount(minor: number | bigint, currency: string): string {
  const decimals = decimalsOf(currency);
  const value = BigInt(minor);
  const sign = value < 0n ? '-' : '';
  const digits = magnitude(value)
    .toString()
    .padStart(decimals + 1, '0');
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * Minor units of an exact decimal without grouping, `-617.75`; undefined for any other text, for a
 * part of a minor unit, and for more than a safe integer holds.
 */
export function parseAmount(text: string, currency: string): number | undefined {
  const [, sign, whole = '', fraction = ''] = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const decimals = decimalsOf(currency);
  if (whole === '' || /[^0]/.test(fraction.slice(decimals))) return undefined;
  const minor = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  if (!Number.isSafeInteger(minor)) return undefined;
  return sign === '-' ? 0 - minor : minor;
}

/** An amount of minor units as people read it in messages: `EUR 338.06`. */
export function moneyText(minor: number | bigint, currency: string): string {
  return `${currency} ${formatAmount(minor, currency)}`;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** The number that is stored and served. Throws AmountOutOfRangeError, which names `what`. */
export function toSafeInteger(value: bigint, what: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new AmountOutOfRangeError(what, value);
  return number;
}

/** An exact sum of safe integers. Throws AmountOutOfRangeError, which names `what`. */
export function sumOf(values: readonly number[], what: string): number {
  let sum = 0n;
  for (const value of values) sum += BigInt(value);
  return toSafeInteger(sum, what);
}

/**
 * Price of credits, net in minor units, rounded half even (contract 6). Throws
 * AmountOutOfRangeError.
 */
export function priceOf(credits: number, pricePer1000Credits: number): number {
  const exact = BigInt(credits) * BigInt(pricePer1000Credits);
  return toSafeInteger(divideHalfEven(exact, CREDITS_PER_PRICE), 'The price of credits');
}
