import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import pg from 'pg';
import { momentOf } from '#account/state.js';
import { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { AccountLoader } from '#ledger/account-loader.js';
import type { Page } from '#ledger/account-reads.js';
import { readApiKeys } from '#ledger/api-keys.js';
import { decodeNumberCursor, encodeCursor } from '#web/cursor.js';
import { readKeyUses } from '#ledger/key-uses.js';
import { findProfiles } from '#ledger/profiles.js';
import { listedApiKeyView, type ListedApiKeyView } from './api-key-view.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import { CLOCK } from '#rest/operation/ports.js';

export class ListApiKeysQuery extends Query<Page<ListedApiKeyView>> {
  constructor(
    readonly accountId: string,
    readonly after: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

/** Keys of an account in the order in which they were issued. */
@QueryHandler(ListApiKeysQuery)
export class ListApiKeysHandler implements IQueryHandler<ListApiKeysQuery> {
  constructor(
    @Inject(AccountLoader) private readonly loader: AccountLoader,
    @Inject(pg.Pool) private readonly pool: pg.Pool,
    @Inject(Calendar) private readonly calendar: Calendar,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ accountId, after, limit }: ListApiKeysQuery): Promise<Page<ListedApiKeyView>> {
    const first = after === null ? 0 : decodeNumberCursor(after);
    const state = await knownAccount(this.loader, accountId);
    const end = first + limit;
    const issued = await readApiKeys(this.pool, accountId);
    const keys = issued.slice(first, end);
    const profiles = await findProfiles(
      this.pool,
      keys.map(({ profile }) => profile),
    );
    const history = { accountId, version: state.version };
    const uses = await readKeyUses(this.pool, history, this.calendar);
    const at = momentOf(state, this.clock.now());
    const items = keys.map((key) => {
      const label = profiles.get(key.profile)?.label ?? null;
      return listedApiKeyView(key, label, at, uses.get(key.ordinal) ?? null);
    });
    return { items, next: end < issued.length ? encodeCursor(end) : null };
  }
}
