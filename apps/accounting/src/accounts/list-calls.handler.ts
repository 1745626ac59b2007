import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { AccountLists } from '#ledger/account-lists.js';
import type { AccountReads, CallView } from '#ledger/account-reads.js';
import type { Asked } from '#ledger/usage-queries.js';
import type { List } from '#web/table-answer.js';
import { ACCOUNT_READS } from '#rest/operation/ports.js';

export class ListCallsQuery extends Query<List<CallView>> {
  constructor(
    readonly accountId: string,
    readonly asked: Asked<'calls'>,
  ) {
    super();
  }
}

@QueryHandler(ListCallsQuery)
export class ListCallsHandler implements IQueryHandler<ListCallsQuery> {
  constructor(@Inject(ACCOUNT_READS) private readonly reads: AccountReads) {}

  async execute({ accountId, asked }: ListCallsQuery): Promise<List<CallView>> {
    return new AccountLists(this.reads, accountId).calls(asked);
  }
}
