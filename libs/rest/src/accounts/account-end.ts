import type pg from 'pg';
import type { Change } from '#deciding/changes/change.js';
import type { Deliveries } from '#deliveries/deliveries.js';
import { eraseAttempts } from '#deliveries/erase-attempts.js';
import type { Profiles } from '#projections/texts/profiles.js';
import type { TextKeys } from '#projections/texts/text-keys.js';
import { forgetReconciliations } from '../reconciliations/kept-reconciliations.js';
import type { ExternalIds } from './external-ids.js';

interface AccountEndParts {
  /** Links and sessions of the portal. */
  readonly sessions: { endAll(accountId: string): Promise<void> };
  /** People who may sign in to the portal. */
  readonly members: { endAll(accountId: string): Promise<void> };
  readonly webhooks: Pick<Deliveries['webhooks'], 'endAll'>;
  readonly signIns: { forgetAccount(accountId: string): Promise<void> };
  readonly profiles: Pick<Profiles, 'erase'>;
  readonly texts: Pick<TextKeys, 'erase'>;
  readonly externalIds: Pick<ExternalIds, 'erase'>;
  readonly pool: pg.Pool;
}

/** Ends what belongs to an account beside its own events. Repeating it changes nothing. */
export class AccountEnd {
  constructor(private readonly parts: AccountEndParts) {}

  /** Ends links, members, sessions and webhooks of a closed account. */
  async close(accountId: string, change: Change): Promise<void> {
    await this.parts.members.endAll(accountId);
    await this.parts.sessions.endAll(accountId);
    await this.parts.webhooks.endAll(accountId, change);
  }

  /** Blanks the rows of an erased account, and by destroying its key what its events hold. */
  async erase(accountId: string): Promise<void> {
    const { profiles, texts, pool, signIns, externalIds } = this.parts;
    await profiles.erase(accountId);
    await externalIds.erase(accountId);
    await texts.erase(accountId);
    await eraseAttempts(pool, accountId);
    await forgetReconciliations(pool, accountId);
    await signIns.forgetAccount(accountId);
  }
}
