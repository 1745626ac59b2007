import { divideHalfEven } from '#account/rounding.js';

/** Minor units by ISO 4217. All others have two decimals; the engine's own table is another one. */
const WITHOUT_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';
const WITH_THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND';
const DECIMALS: ReadonlyMap<string, number> = new Map([
  ...WITHOUT_DECIMALS.split(' ').map((code) => [code, 0] as const),
  ...WITH_THREE_DECIMALS.split(' ').map((code) => [code, 3] as const),
]);
const USUAL_DECIMALS = 2;
const CREDITS_PER_PRICE = 1000n;

/** Thrown for an amount or a sum of credits that no safe integer holds. */
export class AmountOutOfRangeError extends Error {
  override readonly name = 'AmountOutOfRangeError';
  constructor(what: string, value: bigint) {
    super(`${what} is ${value}: more than a safe integer holds.`);
  }
}

/** Decimals of a currency's minor unit: 0, 2 or 3 (ISO 4217). */
export function decimalsOf(currency: string): number {
  return DECIMALS.get(currency) ?? USUAL_DECIMALS;
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
