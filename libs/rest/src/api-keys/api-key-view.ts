import type { ApiKeyPrefix } from '#account/api-key.js';
import type { ApiKeyIssued } from '#account/api-keys.js';
import { isOver } from '#account/state.js';
import { formatInstant, formatMoment } from '#calendar/instant.js';
import type { IssuedApiKey as KeyOfLog } from '#projections/usage/api-keys.js';
import type { ApiKey, IssuedApiKey } from './api-key.schemas.js';

/** A key as its event has it. `key` is left out of the answer to a retry. */
export function issuedApiKey(
  event: { readonly at: number; readonly data: ApiKeyIssued },
  label: string,
  key: string | undefined,
): IssuedApiKey {
  const { data, at } = event;
  return {
    id: data.key_id,
    ...(key !== undefined && { key }),
    label,
    prefix: data.prefix as ApiKeyPrefix,
    last_four: data.last_four,
    scopes: data.scopes,
    expires_at: data.expires_at,
    issued_at: formatMoment(at),
  };
}

/** A key as a list shows it; `at` is the account's present, `lastUsedAt` ms since 1970 or null. */
export function listedApiKey(
  key: KeyOfLog,
  label: string | null,
  at: number,
  lastUsedAt: number | null,
): ApiKey {
  return {
    id: key.id,
    label,
    prefix: key.prefix as ApiKeyPrefix,
    last_four: key.lastFour,
    scopes: key.scopes,
    expires_at: key.expiresAt === null ? null : formatInstant(key.expiresAt),
    issued_at: formatMoment(key.issuedAt),
    status: statusOf(key, at),
    revoked_at: key.revokedAt === null ? null : formatMoment(key.revokedAt),
    last_used_at: lastUsedAt === null ? null : formatMoment(lastUsedAt),
  };
}

function statusOf(key: KeyOfLog, at: number): ApiKey['status'] {
  if (key.revokedAt !== null) return 'revoked';
  return isOver(key, at) ? 'expired' : 'active';
}
