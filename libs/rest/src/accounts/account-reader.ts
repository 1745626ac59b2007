import type { FastifyRequest } from 'fastify';
import type { KeyRecord } from '#account/key-directory.js';
import { formatInstant } from '#calendar/instant.js';
import { entityTag } from '#deciding/entity-tag.js';
import { foundAccount } from '#deciding/changes/known-account.js';
import type { AccountReads, AccountView } from '#projections/views/account-reads.js';
import type { KeyedReads } from '#projections/views/keyed-account.js';
import type { Account } from './account.schemas.js';

/** Reads one account; the public API has this service alone. */
export class AccountReader {
  constructor(
    private readonly reads: AccountReads & KeyedReads,
    private readonly keyOf?: (request: FastifyRequest) => KeyRecord,
    private readonly confirm?: (
      request: FastifyRequest,
      found: KeyRecord | undefined,
    ) => Promise<KeyRecord>,
  ) {}

  /** As operators see it. `asOf`: ms since 1970; absent: as it stands. */
  async get(accountId: string, asOf?: number): Promise<TaggedView> {
    const view = foundAccount(await this.reads.account(accountId, asOf));
    return { view, tag: entityTag(view.version) };
  }

  /** As its customer sees it, with the API key that asks, if one does. */
  async getOwn(accountId: string, request: FastifyRequest, asOf?: number): Promise<TaggedView> {
    const asked = this.keyOf?.(request);
    if (asked === undefined || this.confirm === undefined || asOf !== undefined) {
      const { view, tag } = await this.get(accountId, asOf);
      return { view: ownView(view, asked), tag };
    }
    // One snapshot holds both: no question to the directory of keys comes before it.
    const found = await this.reads.accountAndKey(accountId, asked.keyId);
    const key = await this.confirm(request, found?.key);
    const view = foundAccount(found?.view);
    return { view: ownView(view, key), tag: entityTag(view.version) };
  }
}

interface TaggedView {
  readonly view: Account;
  readonly tag: string;
}

function ownView(view: AccountView, key: KeyRecord | undefined): Account {
  const { external_id: _external, metadata: _metadata, ...own } = view;
  return key === undefined ? own : { ...own, api_key: keyView(key) };
}

function keyView({ keyId, scopes, expiresAt }: KeyRecord): NonNullable<Account['api_key']> {
  return { id: keyId, scopes, expires_at: expiresAt === null ? null : formatInstant(expiresAt) };
}
