import type { AccountState, ApiKey } from './state.js';
import type { Scope } from './terms.js';

/** Facts about a caller that the API needs before it asks for a charge. Times: ms since 1970. */
export interface KeyRecord {
  readonly accountId: string;
  /** Ordinal of the API key in its account. */
  readonly apiKey: number;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | null;
  readonly suspended: boolean;
  /** Whether it is a test account: the first release serves it in the windows before that too. */
  readonly test: boolean;
  /** The account's own frozen time, or null for accounts that live in real time. */
  readonly testClock: number | null;
  readonly rateLimit: { readonly perSecond: number; readonly burst: number } | null;
  /** Whether each of its answers carries a receipt, preferred or not. */
  readonly receipts: boolean;
}

/** An account as its callers see it. */
export interface KeyAccount {
  readonly accountId: string;
  /** By SHA-256 of the API key, 64 hex digits: all keys of the account that are not revoked. */
  readonly keys: ReadonlyMap<string, KeyRecord>;
  /** Of the key that it was found by, where that one is over. */
  readonly end?: KeyEnd | undefined;
}

/** When an API key was revoked, or else when it expired. Ms since 1970. */
export interface KeyEnd {
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
}

/** The port that finds the account behind an API key, and keeps up with it. */
export interface KeyDirectory {
  /** The account as of now that issued an API key, whether or not it has revoked it since. */
  find(hash: string): Promise<KeyAccount | undefined>;
  /**
   * Accounts of this directory as of now, in their order. An account that has not changed is the
   * same object; undefined: it has to be found again; an Error: it alone cannot be read now.
   */
  follow(accounts: readonly KeyAccount[]): Promise<readonly (KeyAccount | Error | undefined)[]>;
}

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
