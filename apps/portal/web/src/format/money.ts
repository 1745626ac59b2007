import { decimalsOf } from '#invoice-rules/currencies.js';
import { priceOf } from '#invoice-rules/money.js';

/** Minor units and an ISO 4217 code: `79343`, `EUR` → `€793.43`; `500`, `JPY` → `¥500`. */
export function formatMoney(minor: number, currency: string): string {
  // The browser's own table of decimals is another one: it has none for forints and rupiahs.
  const digits = decimalsOf(currency);
  const format = new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(minor / 10 ** digits).replace('-', '−');
}

/** Sums of amounts in minor units, by currency in the order in which they stand. */
export function sumsByCurrency<Of extends { readonly currency: string }>(
  items: readonly Of[],
  amountOf: (item: Of) => number,
): { readonly currency: string; readonly minor: number }[] {
  const sums = new Map<string, number>();
  for (const item of items) {
    sums.set(item.currency, (sums.get(item.currency) ?? 0) + amountOf(item));
  }
  return [...sums].map(([currency, minor]) => ({ currency, minor }));
}

/** The price of 1,000 credits, in minor units. */
export interface CreditPrice {
  readonly per_1000_credits: number;
  readonly currency: string;
}

/** Credits in minor units of money, rounded as on an invoice. */
export function creditsInMinor(credits: number, price: CreditPrice): number {
  return priceOf(Math.round(credits), price.per_1000_credits);
}

/** Credits in money, to the minor unit; undefined where they have no price. */
export function moneyOf(credits: number, price: CreditPrice | null): string | undefined {
  return price === null ? undefined : formatMoney(creditsInMinor(credits, price), price.currency);
}
