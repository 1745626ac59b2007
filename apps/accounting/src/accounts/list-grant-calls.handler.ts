import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { AccountLists } from '#ledger/account-lists.js';
import type { AccountReads, GrantCallView } from '#ledger/account-reads.js';
import type { Asked } from '#ledger/usage-queries.js';
import type { List } from '#web/table-answer.js';
import { ACCOUNT_READS } from '#rest/operation/ports.js';

export class ListGrantCallsQuery extends Query<List<GrantCallView>> {
  constructor(
    readonly accountId: string,
    readonly grantId: string,
    readonly asked: Asked<'calls'>,
  ) {
    super();
  }
}

@QueryHandler(ListGrantCallsQuery)
export class ListGrantCallsHandler implements IQueryHandler<ListGrantCallsQuery> {
  constructor(@Inject(ACCOUNT_READS) private readonly reads: AccountReads) {}

  async execute({ accountId, grantId, asked }: ListGrantCallsQuery): Promise<List<GrantCallView>> {
    return new AccountLists(this.reads, accountId).grantCalls(grantId, asked);
  }
}
