import type { CallMade } from '#account/calls.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { readEvent } from '../snapshots/account-tail.js';

/** A call among an account's events. `at` in ms since 1970. */
export interface StoredCall {
  readonly accountId: string;
  readonly at: number;
  readonly call: CallMade;
}

/** An event as a call, where it is one. */
export function storedCall(stored: StoredEvent): StoredCall | undefined {
  if (stored.type !== 'CallMade') return undefined;
  const call = readEvent(stored).data as CallMade;
  return { accountId: stored.accountId, at: stored.at, call };
}
