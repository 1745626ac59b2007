import type { LaneEnd } from '#event-log/event-log.js';
import type { LoadedAccount } from '../snapshots/account-row.js';
import type { AccountDamagedError } from '#account/charging.js';

/** Accounts as they stood in one snapshot, with the ends of their lanes in the same snapshot. */
export interface LoadedAccounts {
  /** Sound accounts; asked for one that is damaged, `get` throws an AccountDamagedError. */
  readonly accounts: ReadonlyMap<string, LoadedAccount>;
  /** Faults of the others, by id. */
  readonly damaged?: ReadonlyMap<string, AccountDamagedError>;
  readonly ends: ReadonlyMap<number, LaneEnd>;
}

export interface KeyOfAccount {
  readonly accountId: string;
  readonly key: string;
}

/** Opened keys, with the ends of the searched lanes, in the same snapshot. */
export interface FoundKeys {
  readonly opened: readonly KeyOfAccount[];
  readonly ends: readonly LaneEnd[];
}

/**
 * The port through which decisions get their accounts. Each answer is one snapshot of everything
 * that was committed before it was asked for; whatever fails is an outage.
 */
export interface AccountSource {
  /** Accounts by id; one that has no event is `unopened`. Complete for its running window. */
  load(ids: readonly string[]): Promise<LoadedAccounts>;
  /** Which of these keys their accounts have opened, in any window. */
  opened(keys: readonly KeyOfAccount[]): Promise<FoundKeys>;
}
