import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { AccountLists } from '#ledger/account-lists.js';
import type { AccountReads, WindowKeyView } from '#ledger/account-reads.js';
import type { Asked } from '#ledger/usage-queries.js';
import type { List } from '#web/table-answer.js';
import { ACCOUNT_READS } from '#rest/operation/ports.js';

export class ListWindowsQuery extends Query<List<WindowKeyView>> {
  constructor(
    readonly accountId: string,
    readonly asked: Asked<'windows'>,
  ) {
    super();
  }
}

@QueryHandler(ListWindowsQuery)
export class ListWindowsHandler implements IQueryHandler<ListWindowsQuery> {
  constructor(@Inject(ACCOUNT_READS) private readonly reads: AccountReads) {}

  async execute({ accountId, asked }: ListWindowsQuery): Promise<List<WindowKeyView>> {
    return new AccountLists(this.reads, accountId).windows(asked);
  }
}
