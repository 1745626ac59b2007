import { formatMoment } from '#calendar/instant.js';
import type { Change } from '#deciding/changes/change.js';
import type { WithoutOrigin, SystemChanges } from '#deciding/changes/system-changes.js';
import type { SystemStream } from '#event-log/system-stream.js';
import type { SellerChanges } from '#invoicing/seller-changes.js';
import {
  EXCHANGE_RATE_SET,
  EXCHANGE_RATES,
  nameOfPair,
  type ExchangeRateSet,
  type KnownRate,
  type KnownRates,
} from '#projections/events/exchange-rate-events.js';
import type { Page } from '#projections/views/account-reads.js';
import { decodePlace, encodePlace } from '#web/cursor.js';
import { found, problem, ProblemException } from '#web/problem.js';
import type { Outcome } from '../operation/operation.js';
import type { ExchangeRate, ExchangeRatesQuery, SetExchangeRate } from './exchange-rate.schemas.js';

/** Idempotency keys of changes of rates name one change among these. */
const SCOPE = 'exchange-rates';
const LIST = 'rates';

/** Where a rate stands. */
export interface RatePlace {
  readonly currency: string;
  readonly date: string;
}

/** Rates between currencies of invoices and that in which the seller owes tax. */
export class ExchangeRates {
  constructor(
    private readonly system: Pick<SystemStream, 'read'>,
    private readonly changes: SystemChanges,
    private readonly seller: Pick<SellerChanges, 'read'>,
  ) {}

  /** By currency and date. Throws BadCursorError. */
  async list({ after, limit, currency }: ExchangeRatesQuery): Promise<Page<ExchangeRate>> {
    const from = after === undefined ? '' : decodePlace(LIST, 1, after)[0];
    const known = await this.system.read(EXCHANGE_RATES);
    const all = [...known.pairs.values()]
      .flatMap((days) => [...days.values()])
      .map((rate) => ({ rate, place: placeOf(rate) }))
      .filter((one) => currency === undefined || one.rate.currency === currency)
      .filter(({ place }) => place > (from ?? ''))
      .toSorted((one, other) => (one.place < other.place ? -1 : 1));
    const shown = all.slice(0, limit);
    const last = all.length > limit ? shown.at(-1) : undefined;
    return {
      items: shown.map(({ rate }) => viewOf(rate)),
      next: last === undefined ? null : encodePlace(LIST, [last.place]),
    };
  }

  /** Throws a ProblemException: `conflict` where the seller names no other currency for tax. */
  async set(
    { currency, date }: RatePlace,
    change: Change,
    { rate, source }: SetExchangeRate,
  ): Promise<Outcome<ExchangeRate>> {
    const { seller } = await this.seller.read();
    const { tax_currency: taxCurrency } = seller;
    if (taxCurrency === undefined || taxCurrency === currency) {
      const detail =
        taxCurrency === undefined
          ? 'The seller has no `tax_currency`: see PUT /seller.'
          : `The seller owes tax in ${currency} itself: set rates of other currencies.`;
      throw new ProblemException(problem('conflict', detail));
    }
    const data: WithoutOrigin<ExchangeRateSet> = {
      currency,
      tax_currency: taxCurrency,
      date,
      rate,
      source,
    };
    const made = await this.changes.of(SCOPE, change).append(EXCHANGE_RATES, (known) => {
      const before = rateOf(known, data);
      const isSame = before?.rate === rate && before.source === source;
      return isSame ? null : { type: EXCHANGE_RATE_SET, data };
    });
    const view = viewOf(found(rateOf(made.value, data), 'exchange rate'));
    return { view, replayed: made.replayed };
  }
}

type Pair = Pick<ExchangeRateSet, 'currency' | 'tax_currency' | 'date'>;

function rateOf({ pairs }: KnownRates, { currency, tax_currency, date }: Pair) {
  return pairs.get(nameOfPair(currency, tax_currency))?.get(date);
}

function placeOf({ currency, tax_currency, date }: Pair): string {
  return `${nameOfPair(currency, tax_currency)} ${date}`;
}

function viewOf({ at, by, ...rate }: KnownRate): ExchangeRate {
  return { ...rate, set_at: formatMoment(at), set_by: by };
}
