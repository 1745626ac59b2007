import type { KeyRecord } from '#account/key-directory.js';
import type { AccountView } from './account-reads.js';

/** An account as of now, with one of its API keys in the same snapshot. */
export interface KeyedAccount {
  readonly view: AccountView;
  /** Undefined once it is revoked. */
  readonly key: KeyRecord | undefined;
}

/** The port that reads an account and says whether the key that asks still opens it. */
export interface KeyedReads {
  /** Undefined when the account was never opened. */
  accountAndKey(accountId: string, keyId: string): Promise<KeyedAccount | undefined>;
}
