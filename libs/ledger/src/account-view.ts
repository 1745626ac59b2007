import { advance, evolveAll } from '#account/advance.js';
import { availableCredits, momentOf, type AccountState, type Grant } from '#account/state.js';
import type { Calendar } from '#calendar/calendar.js';
import { formatInstant, formatMoment } from '#calendar/instant.js';
import type { AccountView, GrantView } from './account-reads.js';

/** An account with all applied that has fallen due by now, and the moment it lives in. */
export function present(state: AccountState, now: number): { state: AccountState; at: number } {
  const at = momentOf(state, now);
  return { state: evolveAll(state, advance(state, at)), at };
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

/** What one account is at a moment. `windowCredits`: spent in the running window, in credits. */
export function accountView(
  id: string,
  name: string | null,
  state: AccountState,
  at: number,
  calendar: Calendar,
  windowCredits: number,
): AccountView {
  const window = calendar.windowAt(at);
  const limit = state.rateLimit;
  return {
    id,
    name,
    status: state.suspended ? 'suspended' : 'active',
    test: state.test,
    currency: state.currency,
    balance: state.balance,
    overdraft_credits: state.overdraft,
    available_credits: availableCredits(state),
    grants: state.grants.map(grantView),
    rate_limit: limit && { per_second: limit.perSecond, burst: limit.burst },
    low_balance_credits: state.lowBalance,
    rate_card: state.rateCard,
    test_clock: state.testClock === null ? null : formatInstant(state.testClock),
    now: formatMoment(at),
    window: window.label,
    window_ends_at: formatInstant(window.endsAt),
    window_credits_used: windowCredits,
    opened_at: formatMoment(state.openedAt),
    version: state.version,
  };
}
