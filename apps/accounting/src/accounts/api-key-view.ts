import type { ApiKeyIssued } from '#account/api-key-events.js';
import type { Scope } from '#account/key-directory.js';
import { isOver } from '#account/state.js';
import { formatInstant, formatMoment } from '#calendar/instant.js';
import type { IssuedApiKey } from '#ledger/api-keys.js';

export interface ApiKeyView {
  readonly id: string;
  readonly label: string | null;
  readonly prefix: string;
  readonly last_four: string;
  readonly scopes: readonly Scope[];
  readonly expires_at: string | null;
  readonly issued_at: string;
}

export interface IssuedApiKeyView extends ApiKeyView {
  /** The secret itself: only in the answer of the request that made it. */
  readonly key?: string;
}

export interface ListedApiKeyView extends ApiKeyView {
  readonly status: 'active' | 'revoked' | 'expired';
  readonly revoked_at: string | null;
  /** Among the account's latest events; null where none of them is a call with this key. */
  readonly last_used_at: string | null;
}

/** A key as its event tells it. `key` is left out of the answer to a retry. */
export function issuedApiKeyView(
  event: { readonly at: number; readonly data: ApiKeyIssued },
  label: string,
  key: string | undefined,
): IssuedApiKeyView {
  const { data, at } = event;
  return {
    id: data.key_id,
    ...(key !== undefined && { key }),
    label,
    prefix: data.prefix,
    last_four: data.last_four,
    scopes: data.scopes,
    expires_at: data.expires_at,
    issued_at: formatMoment(at),
  };
}

function statusOf(key: IssuedApiKey, at: number): ListedApiKeyView['status'] {
  if (key.revokedAt !== null) return 'revoked';
  return isOver(key, at) ? 'expired' : 'active';
}

/** A key as a list shows it; `at` is the account's present, `lastUsedAt` ms since 1970 or null. */
export function listedApiKeyView(
  key: IssuedApiKey,
  label: string | null,
  at: number,
  lastUsedAt: number | null,
): ListedApiKeyView {
  return {
    id: key.id,
    label,
    prefix: key.prefix,
    last_four: key.lastFour,
    scopes: key.scopes,
    expires_at: key.expiresAt === null ? null : formatInstant(key.expiresAt),
    issued_at: formatMoment(key.issuedAt),
    status: statusOf(key, at),
    revoked_at: key.revokedAt === null ? null : formatMoment(key.revokedAt),
    last_used_at: lastUsedAt === null ? null : formatMoment(lastUsedAt),
  };
}
