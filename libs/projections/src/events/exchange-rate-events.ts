import type { Origin } from '#account/terms.js';
import type { ExchangeRate } from '#invoice-rules/exchange-rates.js';
import type { Fold } from '#event-log/fold.js';

// Events of the system's lane about exchange rates: their names and members are for ever, as in
// `#account/events.js`.

export const EXCHANGE_RATE_SET = 'ExchangeRateSet';

/** The value of one unit of a currency in the one in which the seller owes tax, on a day. */
export interface ExchangeRateSet extends Origin {
  readonly currency: string;
  readonly tax_currency: string;
  /** A local date. */
  readonly date: string;
  /** An exact decimal. */
  readonly rate: string;
  readonly source: string;
}

/** A rate in force, with when and by whom it was set. */
export interface KnownRate extends ExchangeRate {
  readonly currency: string;
  readonly tax_currency: string;
  /** Ms since 1970. */
  readonly at: number;
  readonly by: string;
}

/** Exchange rates, and the position of the newest one in the lane. */
export interface KnownRates {
  readonly position: number;
  /** By `nameOfPair`, then by date. */
  readonly pairs: ReadonlyMap<string, ReadonlyMap<string, KnownRate>>;
}

/** Names the rates of a currency in another one. */
export function nameOfPair(currency: string, taxCurrency: string): string {
  return `${currency} ${taxCurrency}`;
}

/** All rates; of one day and pair the newest one counts. */
export const EXCHANGE_RATES: Fold<KnownRates> = {
  initial: () => ({ position: 0, pairs: new Map() }),
  evolve: (known, { type, position, at, data }) => {
    if (type !== EXCHANGE_RATE_SET) return known;
    const { currency, tax_currency, date, rate, source, by } = JSON.parse(data) as ExchangeRateSet;
    const pairs = known.pairs as Map<string, Map<string, KnownRate>>;
    const name = nameOfPair(currency, tax_currency);
    const days = pairs.get(name) ?? new Map<string, KnownRate>();
    pairs.set(name, days.set(date, { currency, tax_currency, date, rate, source, at, by }));
    return { position, pairs };
  },
};

/** The rates of a currency in another one. */
export function ratesOf(
  { pairs }: KnownRates,
  currency: string,
  taxCurrency: string,
): readonly KnownRate[] {
  return [...(pairs.get(nameOfPair(currency, taxCurrency))?.values() ?? [])];
}
