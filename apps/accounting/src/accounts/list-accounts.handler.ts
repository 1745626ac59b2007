import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { EventLog } from '#event-log/event-log.js';
import type { AccountView, Page } from '#ledger/account-reads.js';
import { LEDGER } from '#ledger/ledger.projection.js';
import { AccountList, type AccountFilter } from './account-list.js';
import type { ProjectionProgress } from '#deciding/changes/projection-lag.js';
import { EVENT_LOG, PROJECTION_PROGRESS } from '#rest/operation/ports.js';
import { lagAfterWait } from '#deciding/changes/projection-lag.js';

export interface ListedAccounts {
  readonly page: Page<AccountView>;
  /** Events that the list may not show yet; 0 when it holds all that stood in the log before it. */
  readonly lag: number;
}

export class ListAccountsQuery extends Query<ListedAccounts> {
  constructor(readonly filter: AccountFilter) {
    super();
  }
}

/** Lists what stood in the log when it was asked for, and says so when that takes too long. */
@QueryHandler(ListAccountsQuery)
export class ListAccountsHandler implements IQueryHandler<ListAccountsQuery> {
  constructor(
    @Inject(AccountList) private readonly list: AccountList,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(PROJECTION_PROGRESS) private readonly progress: ProjectionProgress,
  ) {}

  async execute({ filter }: ListAccountsQuery): Promise<ListedAccounts> {
    const lag = await lagAfterWait(this.log, this.progress, LEDGER);
    return { page: await this.list.read(filter), lag };
  }
}
