import { accountEvent, type AccountEvent } from '#account/events.js';
import { initialState } from '#account/state.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { FIRST_HEAD, hashEvent } from '#event-log/hash-chain.js';
import type { LoadedAccount } from './account-row.js';
import { accountAfter } from './own-account.js';

/** An account before its first event. */
export const unopened: LoadedAccount = { state: initialState, head: FIRST_HEAD };

/** An account without the keys it has opened: they have rows of their own. */
export function withoutKeys(account: LoadedAccount): LoadedAccount {
  const { state, head } = account;
  if (state.opened.size === 0) return account;
  return { state: { ...state, opened: initialState.opened }, head };
}

/** A stored event with what somebody has worked out from it, so that nobody does so again. */
export interface WalkedEvent extends StoredEvent {
  readonly event: AccountEvent;
  /** Its account after all events up to it. */
  readonly account: LoadedAccount;
}

/** The event that was parsed last: projections that collect read it one after the other. */
const newest: { stored?: StoredEvent; event?: AccountEvent } = {};

/** A stored event in the terms of its account. Throws UnknownEventError. */
export function readEvent(stored: StoredEvent): AccountEvent {
  if (isWalked(stored)) return stored.event;
  if (stored === newest.stored && newest.event !== undefined) return newest.event;
  const event = accountEvent(stored.type, stored.at, stored.data);
  newest.stored = stored;
  newest.event = event;
  return event;
}

/**
 * An account after one more stored event. Events it has seen already change nothing, and a gap is
 * an error: versions of an account are dense. An `OwnAccount` may be changed itself, also by an
 * event that fails.
 */
export function follow(account: LoadedAccount, stored: StoredEvent): LoadedAccount {
  if (stored.accountVersion <= account.state.version) return account;
  return followRead(account, stored, readEvent(stored));
}

/** The same for an event that the caller has read already. */
export function followRead(
  account: LoadedAccount,
  stored: StoredEvent,
  event: AccountEvent,
): LoadedAccount {
  const { version } = account.state;
  if (stored.accountVersion <= version) return account;
  if (stored.accountVersion !== version + 1) {
    throw new Error(
      `Account ${stored.accountId} stands at ${version}; event ${stored.accountVersion} leaves a gap.`,
    );
  }
  // Where a version stands twice, whoever walked here has counted on.
  const isKnown = isWalked(stored) && stored.account.state.version === stored.accountVersion;
  if (isKnown) return stored.account;
  const after = accountAfter(account, event, hashEvent(account.head, stored));
  if (!Number.isSafeInteger(after.state.balance)) {
    throw new Error(`Event ${stored.accountVersion} of ${stored.accountId} leaves no balance.`);
  }
  return after;
}

function isWalked(stored: StoredEvent): stored is WalkedEvent {
  return 'account' in stored;
}
