import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Page } from '#ledger/account-reads.js';
import { GrantList } from './grant-list.js';
import type { OperatorGrantView } from './grant-view.js';
import { foundAccount } from '#deciding/changes/known-account.js';

export class ListGrantsQuery extends Query<Page<OperatorGrantView>> {
  constructor(
    readonly accountId: string,
    readonly after: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ListGrantsQuery)
export class ListGrantsHandler implements IQueryHandler<ListGrantsQuery> {
  constructor(@Inject(GrantList) private readonly grants: GrantList) {}

  async execute({ accountId, after, limit }: ListGrantsQuery): Promise<Page<OperatorGrantView>> {
    return foundAccount(await this.grants.read(accountId, after, limit));
  }
}
