import { foundAccount } from '#deciding/changes/known-account.js';
import type { AccountReads } from '#projections/views/account-reads.js';
import type { Forecast, Prices } from './outlook.schemas.js';

/** Spending and prices to come of accounts. */
export class Outlooks {
  constructor(private readonly reads: Pick<AccountReads, 'outlook'>) {}

  async forecast(accountId: string): Promise<Forecast> {
    return foundAccount(await this.reads.outlook(accountId)).forecast;
  }

  async prices(accountId: string): Promise<Prices> {
    return foundAccount(await this.reads.outlook(accountId)).prices;
  }
}
