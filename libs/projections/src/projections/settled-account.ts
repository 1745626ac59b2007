import { openMonth, openWindow } from '#account/months.js';
import type { AccountState } from '#account/state.js';
import type { Calendar } from '#calendar/calendar.js';
import type { StoredEvent } from '#event-log/event-log.js';
import type { LoadedAccount } from '../snapshots/account-row.js';
import { unopened } from '../snapshots/account-tail.js';

/** No moment that a clock shows. */
const NEVER = Date.UTC(9999, 0);

/** An account on its way from its rows to the next time they are written. */
export interface FollowedAccount {
  account: LoadedAccount;
  /** Ms since 1970: what falls due in its rows holds for calls before that. Never goes back. */
  settledUntil: number;
  /** Keys that it has opened since its rows were written. */
  readonly opened: OpenedKey[];
}

export interface OpenedKey extends Pick<StoredEvent, 'lane' | 'accountId' | 'callId' | 'at'> {
  readonly key: string;
}

export interface IssuedKey extends Pick<StoredEvent, 'lane' | 'accountId'> {
  readonly hash: string;
  readonly apiKey: number;
}

/** Without rows. */
export function newAccount(): FollowedAccount {
  return { account: unopened, settledUntil: 0, opened: [] };
}

/** An account as its row is to say. */
export type SettledAccount = Pick<FollowedAccount, 'account' | 'settledUntil'>;

/** Until when no call changes what falls due: the end of the window and month that are open. */
export function settledFor(state: AccountState, calendar: Calendar): number {
  if (state.testClock !== null) return NEVER;
  const window = openWindow(state, calendar);
  const month = openMonth(state, calendar);
  return window === null || month === null ? 0 : Math.min(window.endsAt, month.endsAt);
}
