import { instant } from './event-type.js';
import type { AccountChanged, AccountOpened, RateLimitTerms } from './events.js';
import type { AccountState } from './state.js';

export function rateLimit(limit: RateLimitTerms | null): AccountState['rateLimit'] {
  return limit && { perSecond: limit.per_second, burst: limit.burst };
}

export function opened(_: AccountState, data: AccountOpened, at: number): Partial<AccountState> {
  const plan = data.plan ?? null;
  return {
    openedAt: at,
    currency: data.currency,
    overdraft: data.overdraft,
    test: data.test,
    testClock: instant(data.test_clock),
    rateLimit: rateLimit(data.rate_limit),
    lowBalance: data.low_balance,
    // An account begins without credits: that is no alert.
    toldLow: true,
    rateCard: data.rate_card,
    plan,
    // Whatever was sent with the plan was its own.
    beforePlan: plan === null ? null : { overdraft: 0 },
    includedDue: plan !== null && plan.included_credits > 0,
    profile: data.profile.id,
    ...(data.receipts === true && { receipts: true }),
  };
}

/** An overdraft that is set while the plan is about to end is one for afterwards. */
function beforePlan(state: AccountState, data: AccountChanged): AccountState['beforePlan'] {
  const coming = data.plan === undefined ? state.nextPlan?.plan : data.plan;
  if (state.beforePlan === null) return coming ? { overdraft: state.overdraft } : null;
  const isEnding = coming === null && data.overdraft !== undefined;
  return isEnding ? { overdraft: data.overdraft } : state.beforePlan;
}

export function changed(state: AccountState, data: AccountChanged): Partial<AccountState> {
  return {
    beforePlan: beforePlan(state, data),
    ...(data.profile !== undefined && { profile: data.profile.id }),
    ...(data.overdraft !== undefined && { overdraft: data.overdraft }),
    ...(data.rate_limit !== undefined && { rateLimit: rateLimit(data.rate_limit) }),
    ...(data.low_balance !== undefined && { lowBalance: data.low_balance }),
    ...(data.rate_card !== undefined && { rateCard: data.rate_card }),
    ...(data.plan !== undefined && { nextPlan: { plan: data.plan } }),
    ...(data.receipts !== undefined && { receipts: data.receipts ? true : undefined }),
  };
}
