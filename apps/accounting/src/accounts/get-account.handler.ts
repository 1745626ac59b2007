import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { AccountReads, AccountView } from '#ledger/account-reads.js';
import { foundAccount } from '#deciding/changes/known-account.js';
import { ACCOUNT_READS } from '#rest/operation/ports.js';

export class GetAccountQuery extends Query<AccountView> {
  constructor(
    readonly accountId: string,
    /** Ms since 1970; null: as it stands. */
    readonly asOf: number | null,
  ) {
    super();
  }
}

@QueryHandler(GetAccountQuery)
export class GetAccountHandler implements IQueryHandler<GetAccountQuery> {
  constructor(@Inject(ACCOUNT_READS) private readonly reads: AccountReads) {}

  async execute({ accountId, asOf }: GetAccountQuery): Promise<AccountView> {
    return foundAccount(await this.reads.account(accountId, asOf));
  }
}
