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
    includedDue: plan !== null && plan.included_credits > 0,
    profile: data.profile.id,
  };
}

export function changed(_: AccountState, data: AccountChanged): Partial<AccountState> {
  return {
    ...(data.profile !== undefined && { profile: data.profile.id }),
    ...(data.overdraft !== undefined && { overdraft: data.overdraft }),
    ...(data.rate_limit !== undefined && { rateLimit: rateLimit(data.rate_limit) }),
    ...(data.low_balance !== undefined && { lowBalance: data.low_balance }),
    ...(data.rate_card !== undefined && { rateCard: data.rate_card }),
    ...(data.plan !== undefined && { nextPlan: { plan: data.plan } }),
  };
}
