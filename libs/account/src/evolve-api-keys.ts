import type { ApiKeyEndSet, ApiKeyIssued } from './api-key-events.js';
import { isOver, type AccountState, type ApiKey, type Use } from './state.js';

/** So many keys have sums in a use before those of keys that are over are dropped. */
const SUMS_MAX = 200;

/** A key as its event issued it. */
export function issuedKey(data: ApiKeyIssued, at: number): ApiKey {
  return {
    ordinal: data.api_key,
    id: data.key_id,
    hash: data.hash,
    prefix: data.prefix,
    lastFour: data.last_four,
    scopes: data.scopes,
    expiresAt: data.expires_at === null ? null : Date.parse(data.expires_at),
    issuedAt: at,
    profile: data.profile.id,
  };
}

/** Adds a key and drops expired ones, so that there are never more than may be active. */
export function keyIssued(
  state: AccountState,
  data: ApiKeyIssued,
  at: number,
): Partial<AccountState> {
  const others = state.apiKeys.filter((other) => !isOver(other, at));
  const apiKeys = [...others, issuedKey(data, at)];
  return {
    apiKeys,
    lastApiKey: data.api_key,
    monthUse: withoutOver(state.monthUse, apiKeys, state),
    windowUse: withoutOver(state.windowUse, apiKeys, state),
  };
}

/** Sums of keys that are over are asked for only where a budget names them. */
function withoutOver(use: Use, apiKeys: readonly ApiKey[], { budgets }: AccountState): Use {
  if (use.creditsByKey.length <= SUMS_MAX) return use;
  const wanted = new Set([
    ...apiKeys.map(({ ordinal }) => ordinal),
    ...budgets.map(({ apiKey }) => apiKey),
  ]);
  return { ...use, creditsByKey: use.creditsByKey.filter(([apiKey]) => wanted.has(apiKey)) };
}

export function keyRevoked(state: AccountState, apiKey: number): Partial<AccountState> {
  return { apiKeys: state.apiKeys.filter(({ ordinal }) => ordinal !== apiKey) };
}

export function keyEndSet({ apiKeys }: AccountState, data: ApiKeyEndSet): Partial<AccountState> {
  const index = apiKeys.findIndex(({ ordinal }) => ordinal === data.api_key);
  const key = apiKeys[index];
  if (key === undefined) throw new Error(`There is no API key ${data.api_key} to change.`);
  return { apiKeys: apiKeys.with(index, { ...key, expiresAt: Date.parse(data.expires_at) }) };
}
