import type { KeyAccount, KeyRecord } from './key-directory.js';
import type { AccountState, ApiKey } from './state.js';

/** An account as its callers see it. No call changes any of it. */
export function keyAccount(accountId: string, state: AccountState): KeyAccount {
  const keys = state.apiKeys.map((key) => [key.hash, keyRecord(accountId, state, key)] as const);
  return { accountId, keys: new Map(keys) };
}

/** One API key of an account as its callers see it; undefined once it is revoked. */
export function foundKey(
  accountId: string,
  state: AccountState,
  keyId: string,
): KeyRecord | undefined {
  const key = state.apiKeys.find(({ id }) => id === keyId);
  return key && keyRecord(accountId, state, key);
}

function keyRecord(accountId: string, state: AccountState, key: ApiKey): KeyRecord {
  const { suspended, test, testClock, rateLimit, receipts = false } = state;
  const { ordinal, id, scopes, expiresAt } = key;
  const own = { accountId, apiKey: ordinal, keyId: id, scopes, expiresAt };
  return { ...own, suspended, test, testClock, rateLimit, receipts };
}
