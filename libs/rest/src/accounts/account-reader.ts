import { Inject, Injectable, Optional } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { KeyRecord } from '#account/key-directory.js';
import { formatInstant } from '#calendar/instant.js';
import { entityTag } from '#deciding/entity-tag.js';
import { foundAccount } from '#deciding/changes/known-account.js';
import type { AccountReads } from '#ledger/views/account-reads.js';
import { ACCOUNT_READS, CALLING_KEY } from '../operation/ports.js';
import type { Account } from './account.schemas.js';

/** Reads one account; the public API has this service alone. */
@Injectable()
export class AccountReader {
  constructor(
    @Inject(ACCOUNT_READS) private readonly reads: AccountReads,
    @Optional()
    @Inject(CALLING_KEY)
    private readonly keyOf?: (request: FastifyRequest) => KeyRecord,
  ) {}

  /** `asOf`: ms since 1970; absent: as it stands. Names the API key that asks, if one does. */
  async get(
    accountId: string,
    asOf?: number,
    request?: FastifyRequest,
  ): Promise<{ readonly view: Account; readonly tag: string }> {
    const view = foundAccount(await this.reads.account(accountId, asOf));
    const key = request && this.keyOf?.(request);
    const tag = entityTag(view.version);
    return { view: key === undefined ? view : { ...view, api_key: keyView(key) }, tag };
  }
}

function keyView({ keyId, scopes, expiresAt }: KeyRecord): NonNullable<Account['api_key']> {
  return { id: keyId, scopes, expires_at: expiresAt === null ? null : formatInstant(expiresAt) };
}
