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

  /** As operators see it. `asOf`: ms since 1970; absent: as it stands. */
  async get(accountId: string, asOf?: number): Promise<Shown> {
    const view = foundAccount(await this.reads.account(accountId, asOf));
    return { view, tag: entityTag(view.version) };
  }

  /** As its customer sees it, with the API key that asks, if one does. */
  async getOwn(accountId: string, request: FastifyRequest, asOf?: number): Promise<Shown> {
    const { view, tag } = await this.get(accountId, asOf);
    const { external_id: _external, metadata: _metadata, ...own } = view;
    const key = this.keyOf?.(request);
    return { view: key === undefined ? own : { ...own, api_key: keyView(key) }, tag };
  }
}

interface Shown {
  readonly view: Account;
  readonly tag: string;
}

function keyView({ keyId, scopes, expiresAt }: KeyRecord): NonNullable<Account['api_key']> {
  return { id: keyId, scopes, expires_at: expiresAt === null ? null : formatInstant(expiresAt) };
}
