import type { StoredEvent } from '#event-log/event-log.js';
import type { LoadedAccount } from '#projections/snapshots/account-row.js';
import type { AccountState } from '#account/state.js';
import type { Pending } from './submission.js';

/** Known before a batch is folded: committed states, and the log's answers about call ids. */
export interface Known {
  account(accountId: string): LoadedAccount;
  /** The event that a command of this id made earlier. */
  first(callId: string): StoredEvent | undefined;
  /** Whether a call was given back since. */
  adjusted(callId: string): boolean;
  /** Whether a call was answered to another request than its own. */
  replayed(callId: string): boolean;
}

/** So many accounts stay in the caches of a processor until each is decided. */
const ACCOUNTS_AT_ONCE = 64;

/**
 * Reads of the next accounts of a batch what deciding a call reads. Of 10,000 accounts hardly one
 * is in the caches of the processor. A decision would wait for its parts one after the other; here
 * nothing depends on another account, so the processor waits for several at once. Answers how far
 * it has read.
 */
export function readAhead(batch: readonly Pending[], from: number, known: Known): number {
  const end = Math.min(batch.length, from + ACCOUNTS_AT_ONCE);
  let read = 0;
  for (const { submission } of batch.slice(from, end)) {
    read += partsOf(known.account(submission.accountId).state);
  }
  // The compiler leaves out what nobody looks at.
  if (Number.isNaN(read)) throw new Error('A sum of an account is no number.');
  return end;
}

/** Something of each object that a call looks at. */
function partsOf(state: AccountState): number {
  const { apiKeys, billing, budgets, grants, monthUse, opened, rhythm, totals, windowUse } = state;
  const [grant, apiKey, newest] = [grants[0], apiKeys[0], rhythm[0]];
  const [month, window] = [monthUse.creditsByKey[0], windowUse.creditsByKey[0]];
  return (
    (grant?.left ?? 0) +
    (apiKey?.scopes.length ?? 0) +
    (newest?.repeats.length ?? 0) +
    (month?.[0] ?? 0) +
    (window?.[0] ?? 0) +
    totals.charged +
    billing.voids.length +
    budgets.length +
    opened.size
  );
}
