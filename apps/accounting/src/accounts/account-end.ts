import type { Deliveries } from '#deliveries/deliveries.js';
import type { PortalSessions } from '../portal/sessions/portal-sessions.js';
import type { Change } from '#deciding/changes/change.js';

/** What ends with an account, beside what its own event ends. */
export class AccountEnd {
  constructor(
    private readonly sessions: Pick<PortalSessions, 'endAll'>,
    private readonly webhooks: Pick<Deliveries['webhooks'], 'endAll'>,
  ) {}

  /** Ends links, sessions and webhooks of a closed account; doing it again changes nothing. */
  async complete(accountId: string, change: Change, reason?: string): Promise<void> {
    await this.sessions.endAll(accountId);
    await this.webhooks.endAll(accountId, change, reason);
  }
}
