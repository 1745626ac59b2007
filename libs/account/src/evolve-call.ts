import { isKeyOf, windowOfKey } from '#rating/key-parts.js';
import type { CallMade } from './events.js';
import { afterDraws } from './grants.js';
import { OpenedKeys } from './opened-keys.js';
import { rhythmAfter } from './rhythm.js';
import { NO_USE, type AccountState, type Use } from './state.js';

/** Label of the window in which a call was made. */
export function windowOfCall({ key, window }: CallMade): string {
  return window ?? windowOfKey(key);
}

/** Credits of a call that no grant has covered: they became a debt, which a plan's month bills. */
export function uncoveredOf({ cost, draws }: Pick<CallMade, 'cost' | 'draws'>): number {
  return cost[0] + cost[1] - draws.reduce((sum, [, credits]) => sum + credits, 0);
}

/** At a rollover the keys of the window that ended are dropped: a set for the new one. */
function openedIn(state: AccountState, window: string): OpenedKeys {
  if (state.window === window) return state.opened;
  return OpenedKeys.of([...state.opened].filter((key) => isKeyOf(key, window)));
}

/** Fixes a value for a label: the first one stays. */
function pinned<Value>(
  pins: Readonly<Record<string, Value>>,
  label: string,
  value: Value,
): Readonly<Record<string, Value>> {
  return Object.hasOwn(pins, label) ? pins : { ...pins, [label]: value };
}

function usedBy(use: Use, apiKey: number, isBase: boolean, credits: number): Use {
  const { creditsByKey } = use;
  const index = creditsByKey.findIndex(([ordinal]) => ordinal === apiKey);
  const before = creditsByKey[index];
  return {
    calls: use.calls + 1,
    baseCalls: isBase ? use.baseCalls + 1 : use.baseCalls,
    credits: use.credits + credits,
    creditsByKey:
      before === undefined
        ? [...creditsByKey, [apiKey, credits]]
        : creditsByKey.with(index, [apiKey, before[1] + credits]),
  };
}

/** Every member has to be named, also one that a state may lack. */
type EachMember<State> = { readonly [Member in keyof Required<State>]: State[Member] };

/** Members that a call may change. */
type OfCalls = Pick<
  AccountState,
  | 'version'
  | 'lastAt'
  | 'balance'
  | 'totals'
  | 'grants'
  | 'monthSince'
  | 'monthUse'
  | 'window'
  | 'windowUse'
  | 'rhythm'
  | 'pins'
  | 'pinnedCards'
  | 'opened'
>;

/**
 * A state with these members. Made in one piece and member by member, in the order of the initial
 * state: this is what happens tens of thousands of times a second, and a spread of so many members
 * takes four times as long.
 */
export function stateWith(state: AccountState, of: OfCalls): EachMember<AccountState> {
  return {
    version: of.version,
    lastAt: of.lastAt,
    openedAt: state.openedAt,
    suspended: state.suspended,
    closedAt: state.closedAt,
    erasedAt: state.erasedAt,
    currency: state.currency,
    overdraft: state.overdraft,
    test: state.test,
    testClock: state.testClock,
    rateLimit: state.rateLimit,
    receipts: state.receipts,
    lowBalance: state.lowBalance,
    toldLow: state.toldLow,
    rateCard: state.rateCard,
    plan: state.plan,
    nextPlan: state.nextPlan,
    beforePlan: state.beforePlan,
    includedDue: state.includedDue,
    profile: state.profile,
    balance: of.balance,
    totals: of.totals,
    grants: of.grants,
    lastGrant: state.lastGrant,
    apiKeys: state.apiKeys,
    lastApiKey: state.lastApiKey,
    monthSince: of.monthSince,
    lastClose: state.lastClose,
    monthUse: of.monthUse,
    window: of.window,
    windowUse: of.windowUse,
    rhythm: of.rhythm,
    budgets: state.budgets,
    billing: state.billing,
    disputes: state.disputes,
    pins: of.pins,
    pinnedCards: of.pinnedCards,
    opened: of.opened,
  };
}

/** The state after a call (ms since 1970). */
export function afterCall(
  state: AccountState,
  data: CallMade,
  at: number,
): EachMember<AccountState> {
  const { totals, pins, pinnedCards } = state;
  const credits = data.cost[0] + data.cost[1];
  const isBase = data.kind === 'base';
  const window = windowOfCall(data);
  const windowUse = window === state.window ? state.windowUse : NO_USE;
  const keys = openedIn(state, window);
  const isTimed = state.testClock !== null;
  const { granted, adjusted, charged, expired, voided, billed } = totals;
  return stateWith(state, {
    version: state.version + 1,
    lastAt: Math.max(state.lastAt, at),
    balance: state.balance - credits,
    totals: { granted, adjusted, charged: charged + credits, expired, voided, billed },
    grants: afterDraws(state.grants, data.draws),
    monthSince: state.monthSince ?? at,
    monthUse: usedBy(state.monthUse, data.api_key, isBase, credits),
    window,
    windowUse: usedBy(windowUse, data.api_key, isBase, credits),
    rhythm: rhythmAfter(state.rhythm, window, data, at),
    pins: isTimed ? pinned(pins, windowOfKey(data.key), data.release) : pins,
    pinnedCards: isTimed ? pinned(pinnedCards, window, data.card) : pinnedCards,
    opened: isBase ? keys.plus(data.key) : keys,
  });
}
