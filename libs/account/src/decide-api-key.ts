import { formatInstant } from '#calendar/instant.js';
import type { EndApiKey, IssueApiKey, RevokeApiKey } from './commands.js';
import type { AccountEvent } from './events.js';
import { conflict, type Refusal } from './refusal.js';
import { isOver, type AccountState } from './state.js';

/** Keys that are over do not count. */
export const ACTIVE_API_KEYS_MAX = 100;

export function issueApiKey(
  state: AccountState,
  command: IssueApiKey,
  at: number,
): AccountEvent | Refusal {
  const { expiresAt } = command;
  const beyond = beyondIssuer(state, command, at);
  if (beyond !== null) return beyond;
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
      api_key: state.lastApiKey + 1,
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

/** Why an API key may not get another one like this: it would reach further by it. */
function beyondIssuer(
  { apiKeys }: AccountState,
  { issuer, scopes, expiresAt }: IssueApiKey,
  at: number,
): Refusal | null {
  if (issuer === undefined) return null;
  const key = apiKeys.find(({ id }) => id === issuer);
  if (key === undefined || isOver(key, at)) return { reason: 'key-invalid' };
  const scope = scopes.find((one) => !key.scopes.includes(one));
  if (scope !== undefined) return { reason: 'scope-missing', scope };
  if (key.expiresAt === null || (expiresAt !== null && expiresAt <= key.expiresAt)) return null;
  return conflict('An API key cannot rotate one that ends later than itself.');
}

function activeKeys({ apiKeys }: AccountState, at: number): number {
  return apiKeys.filter((key) => !isOver(key, at)).length;
}

const UNKNOWN: Refusal = { reason: 'not-found', detail: 'The account has no such API key.' };

/** A key that is over already is left as it is. */
export function revokeApiKey(
  state: AccountState,
  { origin, keyId, wasIssued }: RevokeApiKey,
  at: number,
): AccountEvent | Refusal | null {
  const key = state.apiKeys.find(({ id }) => id === keyId);
  if (key === undefined) return wasIssued ? null : UNKNOWN;
  if (isOver(key, at)) return null;
  return { type: 'ApiKeyRevoked', at, data: { ...origin, api_key: key.ordinal, key_id: keyId } };
}

/** A key that is over already, or will be before, is left as it is. */
export function endApiKey(
  state: AccountState,
  { origin, keyId, expiresAt, wasIssued }: EndApiKey,
  at: number,
): AccountEvent | Refusal | null {
  const key = state.apiKeys.find(({ id }) => id === keyId);
  if (key === undefined) return wasIssued ? null : UNKNOWN;
  if (key.expiresAt !== null && key.expiresAt <= expiresAt) return null;
  if (expiresAt <= at) return conflict('expires_at must lie in the future of the account.');
  const data = { ...origin, api_key: key.ordinal, key_id: keyId };
  return { type: 'ApiKeyEndSet', at, data: { ...data, expires_at: formatInstant(expiresAt) } };
}
