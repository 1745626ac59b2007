import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { AccountReads, CallFilter, CallView, Page } from '#ledger/account-reads.js';
import { foundAccount } from './known-account.js';
import { ACCOUNT_READS } from './ports.js';

export class ListCallsQuery extends Query<Page<CallView>> {
  constructor(
    readonly accountId: string,
    readonly filter: CallFilter,
  ) {
    super();
  }
}

@QueryHandler(ListCallsQuery)
export class ListCallsHandler implements IQueryHandler<ListCallsQuery> {
  constructor(@Inject(ACCOUNT_READS) private readonly reads: AccountReads) {}

  async execute({ accountId, filter }: ListCallsQuery): Promise<Page<CallView>> {
    return foundAccount(await this.reads.calls(accountId, filter));
  }
}
