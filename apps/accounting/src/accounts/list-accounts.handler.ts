import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { EventLog } from '#event-log/event-log.js';
import type { AccountView, Page } from '#ledger/account-reads.js';
import { LEDGER } from '#ledger/ledger.projection.js';
import { AccountList, type AccountFilter } from './account-list.js';
import { EVENT_LOG, PROJECTION_PROGRESS, type ProjectionProgress } from './ports.js';

const WAIT_MS = 2_000;

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
    const ends = await this.log.ends();
    const positions = new Map(ends.map(({ lane, position }) => [lane, position]));
    const caughtUp = await this.progress.catchUp(LEDGER, positions, WAIT_MS);
    const page = await this.list.read(filter);
    const lag = caughtUp ? 0 : ((await this.progress.lag()).get(LEDGER) ?? 0);
    return { page, lag };
  }
}
