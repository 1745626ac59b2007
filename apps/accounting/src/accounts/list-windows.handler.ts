import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { AccountReads, Page, WindowKeyView } from '#ledger/account-reads.js';
import { foundAccount } from './known-account.js';
import { ACCOUNT_READS } from './ports.js';

/** `window`: a label, or null for the running one. */
export class ListWindowsQuery extends Query<Page<WindowKeyView>> {
  constructor(
    readonly accountId: string,
    readonly window: string | null,
    readonly after: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ListWindowsQuery)
export class ListWindowsHandler implements IQueryHandler<ListWindowsQuery> {
  constructor(@Inject(ACCOUNT_READS) private readonly reads: AccountReads) {}

  async execute(asked: ListWindowsQuery): Promise<Page<WindowKeyView>> {
    const { accountId, window, after, limit } = asked;
    return foundAccount(await this.reads.windows(accountId, window, after, limit));
  }
}
