import type { FastifyRequest } from 'fastify';
import type { PriceList } from '#rest/quotes/price-list.js';
import { type QuoteCaller } from '#rest/quotes/price-list.js';
import { PriceQuotes } from '#rest/quotes/price-quotes.js';
import { callerOf } from '../callers/api-key.guard.js';

/** Quotes for the holder of an API key. */
export class ApiQuotes extends PriceQuotes {
  constructor(prices: PriceList, baseUrl: string) {
    super(prices, baseUrl);
  }

  protected override callerOf(request: FastifyRequest): QuoteCaller {
    const { record, now } = callerOf(request);
    const { accountId, apiKey, test } = record;
    return { accountId, apiKey, test, now };
  }

  /** The address that this client has used. */
  protected override ownUrl(request: FastifyRequest): string {
    return `http://${request.host}`;
  }
}
