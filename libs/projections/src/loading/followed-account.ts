import { accountEvent } from '#account/events.js';
import { evolve } from '#account/evolve.js';
import { keyAccount, type KeyAccount } from '#account/key-directory.js';
import type { AccountState } from '#account/state.js';

/** An event of an account that is no call. */
export interface Change {
  readonly account_version: number;
  readonly type: string;
  readonly at: number;
  readonly call_id: string | null;
  /** JSON. */
  readonly data: string;
}

/** An account as its callers see it, and what it takes to follow it by its changes alone. */
export interface FollowedAccount extends KeyAccount {
  /** Without the calls since it was loaded: its sums are none. */
  readonly state: AccountState;
  readonly last: Change;
}

/** An account in a state that holds all changes up to `last`. */
export function followedAccount(
  accountId: string,
  state: AccountState,
  last: Change,
): FollowedAccount {
  return { ...keyAccount(accountId, state), state, last };
}

/**
 * The account after further changes: those from its last one on, this included. Undefined where
 * the log has another last one, or events that this program cannot apply.
 */
export function afterChanges(
  account: FollowedAccount,
  [known, ...further]: readonly Change[],
): FollowedAccount | undefined {
  if (known === undefined || !isSame(known, account.last)) return undefined;
  if (further.length === 0) return account;
  try {
    const events = further.map(({ type, at, data }) => accountEvent(type, at, data));
    const state = events.reduce(evolve, account.state);
    return followedAccount(account.accountId, state, further.at(-1) ?? known);
  } catch {
    // Whoever loads it whole gets the reason.
    return undefined;
  }
}

function isSame(one: Change, other: Change): boolean {
  return (
    one.account_version === other.account_version &&
    one.type === other.type &&
    one.at === other.at &&
    one.call_id === other.call_id
  );
}
