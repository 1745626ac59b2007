import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { AccountReads, AccountView } from '#ledger/account-reads.js';
import { foundAccount } from './known-account.js';
import { ACCOUNT_READS } from './ports.js';

export class GetAccountQuery extends Query<AccountView> {
  constructor(readonly accountId: string) {
    super();
  }
}

@QueryHandler(GetAccountQuery)
export class GetAccountHandler implements IQueryHandler<GetAccountQuery> {
  constructor(@Inject(ACCOUNT_READS) private readonly reads: AccountReads) {}

  async execute({ accountId }: GetAccountQuery): Promise<AccountView> {
    return foundAccount(await this.reads.account(accountId));
  }
}
