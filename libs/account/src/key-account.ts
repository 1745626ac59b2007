import type { KeyAccount } from './key-directory.js';
import type { AccountState } from './state.js';

/** An account as its callers see it. No call changes any of it. */
export function keyAccount(accountId: string, state: AccountState): KeyAccount {
  const { suspended, test, testClock, rateLimit, receipts = false } = state;
  const keys = state.apiKeys.map(({ ordinal, id, hash, scopes, expiresAt }) => {
    const key = { accountId, apiKey: ordinal, keyId: id, scopes, expiresAt };
    return [hash, { ...key, suspended, test, testClock, rateLimit, receipts }] as const;
  });
  return { accountId, keys: new Map(keys) };
}
