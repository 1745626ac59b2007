import { formatInstant } from '#calendar/instant.js';
import type { EndApiKey, IssueApiKey, RevokeApiKey } from './commands.js';
import type { AccountEvent } from './events.js';
import { conflict, type Refusal } from './refusal.js';
import type { AccountState } from './state.js';

/** Keys that are over do not count. */
export const ACTIVE_API_KEYS_MAX = 100;

export function issueApiKey(
  state: AccountState,
  command: IssueApiKey,
  at: number,
): AccountEvent | Refusal {
  const { expiresAt } = command;
  if (expiresAt !== null && expiresAt <= at) {
    return conflict('expires_at must lie in the future of the account.');
  }
  if (activeKeys(state, at) >= ACTIVE_API_KEYS_MAX) {
    return conflict(`An account has at most ${ACTIVE_API_KEYS_MAX} active API keys.`);
  }
  return {
    type: 'ApiKeyIssued',
    at,
    data: {
      ...command.origin,
      api_key: state.apiKeys.length + 1,
      key_id: command.keyId,
      hash: command.hash,
      prefix: command.prefix,
      last_four: command.lastFour,
      scopes: command.scopes,
      expires_at: expiresAt === null ? null : formatInstant(expiresAt),
      profile: command.profile,
    },
  };
}

function activeKeys({ apiKeys }: AccountState, at: number): number {
  return apiKeys.filter(({ revokedAt, expiresAt }) => {
    return revokedAt === null && (expiresAt === null || expiresAt > at);
  }).length;
}

export function revokeApiKey(
  state: AccountState,
  command: RevokeApiKey,
  at: number,
): AccountEvent | Refusal | null {
  const index = state.apiKeys.findIndex(({ id }) => id === command.keyId);
  const key = state.apiKeys[index];
  if (key === undefined) return { reason: 'not-found', detail: 'The account has no such API key.' };
  if (key.revokedAt !== null) return null;
  const data = { ...command.origin, api_key: index + 1, key_id: key.id };
  return { type: 'ApiKeyRevoked', at, data };
}

/** A key that is over already, or will be before, is left as it is. */
export function endApiKey(
  state: AccountState,
  { origin, keyId, expiresAt }: EndApiKey,
  at: number,
): AccountEvent | Refusal | null {
  const index = state.apiKeys.findIndex(({ id }) => id === keyId);
  const key = state.apiKeys[index];
  if (key === undefined) return { reason: 'not-found', detail: 'The account has no such API key.' };
  if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= expiresAt)) return null;
  if (expiresAt <= at) return conflict('expires_at must lie in the future of the account.');
  const data = { ...origin, api_key: index + 1, key_id: keyId };
  return { type: 'ApiKeyEndSet', at, data: { ...data, expires_at: formatInstant(expiresAt) } };
}
