import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { momentOf } from '#account/state.js';
import type { Clock } from '#calendar/clock.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import { AccountLoader } from '#projections/loading/account-loader.js';
import { CLOCK } from '../operation/ports.js';
import { PORTAL_CONFIGURATION } from '../portal-sessions/portal-authenticator.js';
import { sessionOf } from '../portal-sessions/signed-in.js';
import { DataApi } from '../pulls/data-api.js';
import { PortalKey } from '../pulls/portal-key.js';
import { PriceList, type QuoteCaller } from './price-list.js';
import { PriceQuotes } from './price-quotes.js';

/** Quotes for the account of a session. They take no API key, so that looking makes none. */
@Injectable()
export class PortalQuotes extends PriceQuotes {
  constructor(
    @Inject(PriceList) prices: PriceList,
    @Inject(PORTAL_CONFIGURATION) configuration: { readonly baseUrl: string },
    @Inject(DataApi) private readonly api: DataApi,
    @Inject(PortalKey) private readonly key: PortalKey,
    @Inject(AccountLoader) private readonly loader: AccountLoader,
    @Inject(CLOCK) private readonly clock: Clock,
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
