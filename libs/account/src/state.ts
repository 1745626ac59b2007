import type { GrantKind } from './events.js';
import type { Scope } from './key-directory.js';
import { OpenedKeys } from './opened-keys.js';

/** A grant with something left of it. `expiresAt` in ms since 1970, null: never. */
export interface Grant {
  readonly ordinal: number;
  readonly id: string;
  readonly kind: GrantKind | 'adjustment';
  readonly credits: number;
  readonly left: number;
  readonly priority: number;
  readonly expiresAt: number | null;
  readonly grantedAt: number;
}

export interface ApiKey {
  readonly id: string;
  readonly hash: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | null;
  readonly issuedAt: number;
  readonly revokedAt: number | null;
  /** Id of the row of the second truth that holds its label. */
  readonly profile: string;
}

/** Sums over all that ever happened, in credits; they must add up to the balance. */
export interface Totals {
  readonly granted: number;
  readonly adjusted: number;
  readonly charged: number;
  readonly expired: number;
}

/** What an account is after its events. Built by `evolve` alone. */
export interface AccountState {
  /** Number of events; 0 is an account that was never opened. */
  readonly version: number;
  /** Moment of the last event, ms since 1970. */
  readonly lastAt: number;
  readonly openedAt: number;
  readonly suspended: boolean;
  readonly currency: string;
  /** How far the balance may go below zero; null: without limit. */
  readonly overdraft: number | null;
  readonly test: boolean;
  readonly testClock: number | null;
  readonly rateLimit: { readonly perSecond: number; readonly burst: number } | null;
  readonly lowBalance: number | null;
  readonly rateCard: number | null;
  readonly profile: string;
  readonly balance: number;
  readonly totals: Totals;
  /** In the order in which they are drawn. */
  readonly grants: readonly Grant[];
  /** Ordinal of the newest grant or positive adjustment. */
  readonly lastGrant: number;
  /** By ordinal minus 1, revoked ones included. */
  readonly apiKeys: readonly ApiKey[];
  /** Label of the running window at the last call. */
  readonly window: string | null;
  /** Of test accounts: release by window label, fixed by the first call for that window. */
  readonly pins: Readonly<Record<string, string>>;
  /**
   * Keys known to be opened: all with the label of `window`, and those of other windows that
   * were looked up or called since the state was loaded.
   */
  readonly opened: OpenedKeys;
}

export const initialState: AccountState = {
  version: 0,
  lastAt: 0,
  openedAt: 0,
  suspended: false,
  currency: '',
  overdraft: 0,
  test: false,
  testClock: null,
  rateLimit: null,
  lowBalance: null,
  rateCard: null,
  profile: '',
  balance: 0,
  totals: { granted: 0, adjusted: 0, charged: 0, expired: 0 },
  grants: [],
  lastGrant: 0,
  apiKeys: [],
  window: null,
  pins: {},
  opened: OpenedKeys.of(),
};

/** Adds to a state what was looked up: these keys were opened by calls it has seen. */
export function recall(state: AccountState, keys: readonly string[]): AccountState {
  if (keys.length === 0) return state;
  return { ...state, opened: keys.reduce((opened, key) => opened.plus(key), state.opened) };
}

/** The account's present: its own frozen time, or real time that never runs backwards. */
export function momentOf(state: AccountState, now: number): number {
  return state.testClock ?? Math.max(now, state.lastAt);
}

/** Credits that a call may still cost: balance and overdraft; null without a limit. */
export function availableCredits(state: AccountState): number | null {
  return state.overdraft === null ? null : state.balance + state.overdraft;
}
