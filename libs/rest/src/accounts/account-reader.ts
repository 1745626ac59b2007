import { Inject, Injectable } from '@nestjs/common';
import { entityTag } from '#deciding/entity-tag.js';
import { foundAccount } from '#deciding/changes/known-account.js';
import type { AccountReads } from '#ledger/views/account-reads.js';
import { ACCOUNT_READS } from '../operation/ports.js';
import type { Account } from './account.schemas.js';

/** Reads one account; the public API has this service alone. */
@Injectable()
export class AccountReader {
  constructor(@Inject(ACCOUNT_READS) private readonly reads: AccountReads) {}

  /** `asOf`: ms since 1970; absent: as it stands. */
  async get(
    accountId: string,
    asOf?: number,
  ): Promise<{ readonly view: Account; readonly tag: string }> {
    const view = foundAccount(await this.reads.account(accountId, asOf));
    return { view, tag: entityTag(view.version) };
  }
}
