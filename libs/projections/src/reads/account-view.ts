import { advance, evolveAll } from '#account/advance.js';
import type { Terms } from '#account/decide-call.js';
import { forecast } from '#account/forecast.js';
import { type AccountState, availableCredits, type Grant, momentOf } from '#account/state.js';
import type { Calendar } from '#calendar/calendar.js';
import { formatInstant, formatMoment } from '#calendar/instant.js';
import type { AccountView, GrantView } from '../views/account-reads.js';
import type { Profile } from '../texts/profiles.js';
import { budgetView, forecastText } from './budget-view.js';

/** An account with all applied that has fallen due by now, and the moment it lives in. */
export function present(
  state: AccountState,
  now: number,
  calendar: Calendar,
): { state: AccountState; at: number } {
  const at = momentOf(state, now);
  return { state: evolveAll(state, advance(state, at, calendar)), at };
}

function grantView(grant: Grant): GrantView {
  return {
    id: grant.id,
    kind: grant.kind,
    credits: grant.credits,
    left: grant.left,
    priority: grant.priority,
    expires_at: grant.expiresAt === null ? null : formatInstant(grant.expiresAt),
    granted_at: formatMoment(grant.grantedAt),
  };
}

function statusOf({ closedAt, suspended }: AccountState): AccountView['status'] {
  if (closedAt !== null) return 'closed';
  return suspended ? 'suspended' : 'active';
}

function forecastView(state: AccountState, at: number, terms: Terms): AccountView['forecast'] {
  const foreseen = forecast(state, at, terms);
  return {
    exhausted_at: forecastText(foreseen.exhaustedAt),
    balance_exhausted_at: forecastText(foreseen.balanceExhaustedAt),
    month_credits: foreseen.monthCredits,
    next_window_credits: foreseen.nextWindowCredits,
    confidence: foreseen.confidence,
  };
}

/**
 * The view of an account at a moment (ms since 1970), up to which the state must be advanced.
 * Without a profile it was erased.
 */
export function accountView(
  id: string,
  profile: Profile | undefined,
  state: AccountState,
  at: number,
  terms: Terms,
): AccountView {
  const { calendar } = terms;
  const window = calendar.windowAt(at);
  const limit = state.rateLimit;
  return {
    id,
    name: profile?.name ?? null,
    external_id: profile?.external_id ?? null,
    metadata: profile?.metadata ?? {},
    status: statusOf(state),
    test: state.test,
    currency: state.currency,
    balance: state.balance,
    overdraft_credits: state.overdraft,
    available_credits: availableCredits(state),
    grants: state.grants.map(grantView),
    rate_limit: limit && { per_second: limit.perSecond, burst: limit.burst },
    low_balance_credits: state.lowBalance,
    rate_card: state.rateCard,
    rate_cards: state.rateCards ?? {},
    receipts: state.receipts ?? false,
    plan: state.plan,
    plan_next_month: state.nextPlan === null ? state.plan : state.nextPlan.plan,
    test_clock: state.testClock === null ? null : formatInstant(state.testClock),
    now: formatMoment(at),
    window: window.label,
    window_ends_at: formatInstant(window.endsAt),
    window_credits_used: state.window === window.label ? state.windowUse.credits : 0,
    budgets: state.budgets.map((budget) => budgetView(state, budget, at, terms)),
    forecast: forecastView(state, at, terms),
    opened_at: formatMoment(state.openedAt),
    version: state.version,
  };
}
