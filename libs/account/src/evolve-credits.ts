import type { Adjusted, CreditsGranted, GrantExpired, GrantVoided } from './events.js';
import type { MonthClosed, Totals } from './events.js';
import { afterVoid, withMonth, withPurchase } from './evolve-billing.js';
import { afterDraws, withGrant } from './grants.js';
import { NO_USE, type AccountState } from './state.js';
import { worthAfter } from './worth.js';

/** Credits given back are kept like a grant that never expires, drawn after the priced ones. */
const ADJUSTMENT_PRIORITY = 100;

function moved(state: AccountState, credits: number, total: keyof Totals): Partial<AccountState> {
  return {
    balance: state.balance + credits,
    totals: { ...state.totals, [total]: state.totals[total] + Math.abs(credits) },
  };
}

export function granted(
  state: AccountState,
  data: CreditsGranted,
  at: number,
): Partial<AccountState> {
  const grant = {
    ordinal: data.grant,
    id: data.grant_id,
    kind: data.kind,
    credits: data.credits,
    left: data.credits - data.repaid,
    priority: data.priority,
    expiresAt: data.expires_at === null ? null : Date.parse(data.expires_at),
    grantedAt: at,
    ...(data.price !== null && { worth: { amount: data.price, credits: data.credits } }),
  };
  return {
    ...moved(state, data.credits, 'granted'),
    grants: withGrant(state.grants, grant),
    billing: withPurchase(state, data, at),
    lastGrant: data.grant,
    includedDue: state.includedDue && data.kind !== 'included',
  };
}

function taken(
  state: AccountState,
  data: GrantExpired | GrantVoided,
  total: 'expired' | 'voided',
): Partial<AccountState> {
  return {
    ...moved(state, -data.credits, total),
    grants: afterDraws(state.grants, [[data.grant, data.credits]]),
  };
}

export function expired(state: AccountState, data: GrantExpired): Partial<AccountState> {
  return taken(state, data, 'expired');
}

/** The grants, once a credit note has given a part of a purchase's value back. */
function revalued({ grants }: AccountState, data: GrantVoided): AccountState['grants'] {
  const { grant: ordinal, credits, left = 0, refund = 0 } = data;
  return grants.map((grant) => {
    if (grant.ordinal !== ordinal || grant.worth === undefined) return grant;
    return { ...grant, worth: worthAfter(grant.worth, left + credits, left, refund) };
  });
}

export function voided(state: AccountState, data: GrantVoided): Partial<AccountState> {
  const gone = taken(
    data.left ? { ...state, grants: revalued(state, data) } : state,
    data,
    'voided',
  );
  return { ...gone, billing: afterVoid(state, data) };
}

export function adjusted(state: AccountState, data: Adjusted, at: number): Partial<AccountState> {
  const totals = { ...state.totals, adjusted: state.totals.adjusted + data.credits };
  const balance = state.balance + data.credits;
  if (data.grant === null) {
    return { balance, totals, grants: afterDraws(state.grants, data.draws) };
  }
  const grant = {
    ordinal: data.grant,
    id: data.grant_id ?? '',
    kind: 'adjustment' as const,
    credits: data.credits,
    left: data.credits - data.repaid,
    priority: ADJUSTMENT_PRIORITY,
    expiresAt: null,
    grantedAt: at,
  };
  return { balance, totals, grants: withGrant(state.grants, grant), lastGrant: data.grant };
}

/** The plan of the month that follows. */
export function planToFollow({ plan, nextPlan, closedAt }: AccountState): AccountState['plan'] {
  if (closedAt !== null) return null;
  return nextPlan === null ? plan : nextPlan.plan;
}

/** The next month begins: with the plan that was chosen for it, and at once if there is one. */
export function monthEnded(
  state: AccountState,
  data: MonthClosed,
  at: number,
): Partial<AccountState> {
  const plan = planToFollow(state);
  return {
    ...moved(state, data.overage, 'billed'),
    plan,
    nextPlan: null,
    beforePlan: plan === null ? null : state.beforePlan,
    ...(data.overdraft !== undefined && { overdraft: data.overdraft }),
    includedDue: plan !== null && plan.included_credits > 0,
    monthSince: plan === null ? null : at,
    monthUse: NO_USE,
    billing: withMonth(state, data.month),
    lastClose: { month: data.month, version: state.version + 1, balance: data.balance },
  };
}
