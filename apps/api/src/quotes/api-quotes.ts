import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PriceList, type QuoteCaller } from '#rest/quotes/price-list.js';
import { PriceQuotes } from '#rest/quotes/price-quotes.js';
import { callerOf } from '../callers/api-key.guard.js';

/** Public address of the API, to be injected. */
export const BASE_URL = Symbol('base-url');

/** Quotes for the holder of an API key. */
@Injectable()
export class ApiQuotes extends PriceQuotes {
  constructor(@Inject(PriceList) prices: PriceList, @Inject(BASE_URL) baseUrl: string) {
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
