import type { CallMade } from '#account/events.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { readEvent } from './account-tail.js';

/** A call among an account's events. `at` in ms since 1970. */
export interface StoredCall {
  readonly accountId: string;
  readonly at: number;
  readonly call: CallMade;
}

/** The calls among events, in their order. */
export function callsAmong(events: readonly StoredEvent[]): StoredCall[] {
  const calls: StoredCall[] = [];
  for (const stored of events) {
    if (stored.type !== 'CallMade') continue;
    const call = readEvent(stored).data as CallMade;
    calls.push({ accountId: stored.accountId, at: stored.at, call });
  }
  return calls;
}
