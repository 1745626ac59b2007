import type { FastifyRequest } from 'fastify';
import { momentOf } from '#account/state.js';
import type { Clock } from '#calendar/clock.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { sessionOf } from '../portal-sessions/signed-in.js';
import type { DataApi } from '../pulls/data-api.js';
import type { PortalKey } from '../pulls/portal-key.js';
import type { PriceList } from './price-list.js';
import { type QuoteCaller } from './price-list.js';
import { PriceQuotes } from './price-quotes.js';

/** Quotes for the account of a session. They take no API key, so that looking makes none. */
export class PortalQuotes extends PriceQuotes {
  constructor(
    prices: PriceList,
    configuration: { readonly baseUrl: string },
    private readonly api: DataApi,
    private readonly key: PortalKey,
    private readonly loader: AccountLoader,
    private readonly clock: Clock,
  ) {
    super(prices, configuration.baseUrl);
  }

  protected override async callerOf(request: FastifyRequest): Promise<QuoteCaller> {
    const { accountId } = sessionOf(request);
    const state = await knownAccount(this.loader, accountId);
    const now = momentOf(state, this.clock.now());
    const apiKey = await this.key.active(accountId, state, now);
    return { accountId, apiKey, test: state.testClock !== null, now };
  }

  protected override ownUrl(): string {
    return this.api.url;
  }
}
