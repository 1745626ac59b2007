import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { AccountReads, EventView, Page } from '#ledger/account-reads.js';
import { foundAccount } from '#deciding/changes/known-account.js';
import { ACCOUNT_READS } from '#rest/operation/ports.js';

export class ListEventsQuery extends Query<Page<EventView>> {
  constructor(
    readonly accountId: string,
    readonly after: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ListEventsQuery)
export class ListEventsHandler implements IQueryHandler<ListEventsQuery> {
  constructor(@Inject(ACCOUNT_READS) private readonly reads: AccountReads) {}

  async execute({ accountId, after, limit }: ListEventsQuery): Promise<Page<EventView>> {
    return foundAccount(await this.reads.events(accountId, after, limit));
  }
}
