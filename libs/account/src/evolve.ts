import { isKeyOf, windowOfKey } from '#rating/key-parts.js';
import { keyEndSet, keyIssued, keyRevoked } from './evolve-api-keys.js';
import { billed, billingSaid } from './evolve-billing.js';
import { budgetRemoved, budgetSet, budgetTold } from './evolve-budgets.js';
import { adjusted, granted, monthEnded, taken } from './evolve-credits.js';
import type { AccountChanged, AccountEvent, AccountOpened } from './events.js';
import type { CallMade, RateLimitTerms } from './events.js';
import { afterDraws } from './grants.js';
import { OpenedKeys } from './opened-keys.js';
import { NO_USE, type AccountState, type Use } from './state.js';

/** Instants inside stored events are written by this program and always parse. */
function instant(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

function rateLimit(limit: RateLimitTerms | null): AccountState['rateLimit'] {
  return limit && { perSecond: limit.per_second, burst: limit.burst };
}

function opened(data: AccountOpened, at: number): Partial<AccountState> {
  const plan = data.plan ?? null;
  return {
    openedAt: at,
    currency: data.currency,
    overdraft: data.overdraft,
    test: data.test,
    testClock: instant(data.test_clock),
    rateLimit: rateLimit(data.rate_limit),
    lowBalance: data.low_balance,
    // An account begins without credits: that is nothing to be told of.
    toldLow: true,
    rateCard: data.rate_card,
    plan,
    includedDue: plan !== null && plan.included_credits > 0,
    profile: data.profile.id,
  };
}

function changed(data: AccountChanged): Partial<AccountState> {
  return {
    ...(data.profile !== undefined && { profile: data.profile.id }),
    ...(data.overdraft !== undefined && { overdraft: data.overdraft }),
    ...(data.rate_limit !== undefined && { rateLimit: rateLimit(data.rate_limit) }),
    ...(data.low_balance !== undefined && { lowBalance: data.low_balance }),
    ...(data.rate_card !== undefined && { rateCard: data.rate_card }),
    ...(data.plan !== undefined && { nextPlan: { plan: data.plan } }),
  };
}

/** Label of the window in which a call was made. */
export function windowOfCall({ key, window }: CallMade): string {
  return window ?? windowOfKey(key);
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

/**
 * Made in one piece and member by member, in the order of the initial state: this is what happens
 * tens of thousands of times a second, and a spread of so many members takes four times as long.
 */
function afterCall(state: AccountState, data: CallMade, at: number): AccountState {
  const { totals, pins, pinnedCards } = state;
  const credits = data.cost[0] + data.cost[1];
  const isBase = data.kind === 'base';
  const window = windowOfCall(data);
  const windowUse = window === state.window ? state.windowUse : NO_USE;
  const keys = openedIn(state, window);
  const isTimed = state.testClock !== null;
  return {
    version: state.version + 1,
    lastAt: Math.max(state.lastAt, at),
    openedAt: state.openedAt,
    suspended: state.suspended,
    closedAt: state.closedAt,
    erasedAt: state.erasedAt,
    currency: state.currency,
    overdraft: state.overdraft,
    test: state.test,
    testClock: state.testClock,
    rateLimit: state.rateLimit,
    lowBalance: state.lowBalance,
    toldLow: state.toldLow,
    rateCard: state.rateCard,
    plan: state.plan,
    nextPlan: state.nextPlan,
    includedDue: state.includedDue,
    profile: state.profile,
    balance: state.balance - credits,
    totals: { ...totals, charged: totals.charged + credits },
    grants: afterDraws(state.grants, data.draws),
    lastGrant: state.lastGrant,
    apiKeys: state.apiKeys,
    lastApiKey: state.lastApiKey,
    monthSince: state.monthSince ?? at,
    lastClose: state.lastClose,
    monthUse: usedBy(state.monthUse, data.api_key, isBase, credits),
    window,
    windowUse: usedBy(windowUse, data.api_key, isBase, credits),
    budgets: state.budgets,
    billing: state.billing,
    pins: isTimed ? pinned(pins, windowOfKey(data.key), data.release) : pins,
    pinnedCards: isTimed ? pinned(pinnedCards, window, data.card) : pinnedCards,
    opened: isBase ? keys.plus(data.key) : keys,
  };
}

type Change = Exclude<AccountEvent, { type: 'CallMade' }>;

function changes(state: AccountState, event: Change): Partial<AccountState> {
  switch (event.type) {
    case 'AccountOpened':
      return opened(event.data, event.at);
    case 'AccountSuspended':
      return { suspended: true };
    case 'AccountResumed':
      return { suspended: false };
    case 'ApiKeyIssued':
      return keyIssued(state, event.data, event.at);
    case 'ApiKeyRevoked':
      return keyRevoked(state, event.data.api_key);
    case 'ApiKeyEndSet':
      return keyEndSet(state, event.data);
    case 'CreditsGranted':
      return granted(state, event.data, event.at);
    case 'GrantExpired':
      return taken(state, event.data, 'expired');
    case 'GrantVoided':
      return taken(state, event.data, 'voided');
    case 'Adjusted':
      return adjusted(state, event.data, event.at);
    case 'TestClockMoved':
      return { testClock: Date.parse(event.data.now) };
    case 'AccountChanged':
      return changed(event.data);
    case 'AccountClosed':
      // Whoever has a key of a closed account can do nothing with it any more.
      return { closedAt: event.at, apiKeys: [] };
    case 'ProfileErased':
      return { erasedAt: event.at };
    case 'MonthClosed':
      return monthEnded(state, event.data, event.at);
    case 'WindowClosed':
      return { windowUse: NO_USE };
    case 'BudgetSet':
      return budgetSet(state, event.data);
    case 'BudgetRemoved':
      return budgetRemoved(state, event.data.budget_id);
    case 'BillingDetailsChanged':
      return billingSaid(state, event.data);
    case 'InvoiceSealed':
      return billed(state, { invoicedMonth: event.data.month });
    case 'CreditNoteSealed':
    case 'PaymentRecorded':
    case 'InvoiceOverdue':
      return billed(state);
    case 'CallReplayed':
    case 'PortalSessionOpened':
    case 'PortalSessionRevoked':
      return {};
    case 'BalanceLow':
    case 'BudgetThresholdCrossed':
    case 'BudgetBlocked':
    case 'BudgetForecastExceeded':
      return alerted(state, event);
  }
}

type Alert = Extract<
  AccountEvent,
  {
    type: 'BalanceLow' | 'BudgetThresholdCrossed' | 'BudgetBlocked' | 'BudgetForecastExceeded';
  }
>;

/** What was told is not told again. */
function alerted(state: AccountState, event: Alert): Partial<AccountState> {
  switch (event.type) {
    case 'BalanceLow':
      return { toldLow: true };
    case 'BudgetThresholdCrossed':
      return budgetTold(state, event.data, ({ thresholds }) => ({
        thresholds: [...thresholds, event.data.threshold],
      }));
    case 'BudgetBlocked':
      return budgetTold(state, event.data, () => ({ blocked: true }));
    case 'BudgetForecastExceeded':
      return budgetTold(state, event.data, () => ({ forecast: true }));
  }
}

/**
 * What only tells of something, or is about an earlier month, opens no month: an account that is
 * idle has none to close.
 */
const TELLING: ReadonlySet<AccountEvent['type']> = new Set([
  'WindowClosed',
  'BalanceLow',
  'BudgetThresholdCrossed',
  'BudgetBlocked',
  'BudgetForecastExceeded',
  'InvoiceSealed',
  'CreditNoteSealed',
  'PaymentRecorded',
  'InvoiceOverdue',
  'CallReplayed',
  'PortalSessionOpened',
  'PortalSessionRevoked',
]);

function isLow({ balance, lowBalance }: AccountState): boolean {
  return lowBalance !== null && balance < lowBalance;
}

/** The state after one more event. Never refuses: what happened, happened. */
export function evolve(state: AccountState, event: AccountEvent): AccountState {
  if (event.type === 'CallMade') return afterCall(state, event.data, event.at);
  const monthSince = TELLING.has(event.type) ? state.monthSince : (state.monthSince ?? event.at);
  const after = {
    ...state,
    monthSince,
    ...changes(state, event),
    version: state.version + 1,
    lastAt: Math.max(state.lastAt, event.at),
  };
  // A balance that has risen again is told of anew when it falls.
  return after.toldLow && !isLow(after) ? { ...after, toldLow: false } : after;
}
