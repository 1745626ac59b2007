import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { AccountLists } from '#ledger/account-lists.js';
import type { AccountReads, UsageView } from '#ledger/account-reads.js';
import type { Asked } from '#ledger/usage-queries.js';
import type { List } from '#web/table-answer.js';
import { ACCOUNT_READS } from '#rest/operation/ports.js';

export class ListUsageQuery extends Query<List<UsageView>> {
  constructor(
    readonly accountId: string,
    readonly asked: Asked<'usage'>,
  ) {
    super();
  }
}

@QueryHandler(ListUsageQuery)
export class ListUsageHandler implements IQueryHandler<ListUsageQuery> {
  constructor(@Inject(ACCOUNT_READS) private readonly reads: AccountReads) {}

  async execute({ accountId, asked }: ListUsageQuery): Promise<List<UsageView>> {
    return new AccountLists(this.reads, accountId).usage(asked);
  }
}
