import type pg from 'pg';
import type { Buyer } from '#invoice-rules/invoice.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { findProfiles } from '#projections/texts/profiles.js';

/** The billing details of accounts, as they are now: where their documents go by e-mail. */
export class BillingAddresses {
  constructor(
    private readonly pool: pg.Pool,
    private readonly loader: Pick<AccountLoader, 'loadCores'>,
  ) {}

  /** By account; those that name no e-mail address are absent. */
  async of(accountIds: readonly string[]): Promise<ReadonlyMap<string, Buyer>> {
    const unique = [...new Set(accountIds)];
    const { accounts } = await this.loader.loadCores(unique);
    const rows = unique.flatMap((id) => {
      const profile = accounts.get(id)?.state.billing.profile;
      return profile ? [{ id, profileId: profile.id }] : [];
    });
    const profiles = await findProfiles(
      this.pool,
      rows.map(({ profileId }) => profileId),
    );
    return new Map(
      rows.flatMap(({ id, profileId }) => {
        const buyer = profiles.get(profileId)?.buyer;
        return buyer?.email ? [[id, buyer] as const] : [];
      }),
    );
  }
}
