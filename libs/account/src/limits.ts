import { debtOf } from './grants.js';
import { conflict, type Refusal } from './refusal.js';
import type { AccountState } from './state.js';
import type { Plan } from './terms.js';

/** Most credits that an account may hold, be charged or be adjusted by in all: a safe integer. */
export const CREDITS_MAX = Number.MAX_SAFE_INTEGER;

/** A price or fee may be at most this, net in minor units. */
export const PRICE_MAX = 1_000_000_000_000;

/** Most that a month's overage may come to, net in minor units: an invoice shows more beside it. */
const OVERAGE_MAX = 1_000_000_000_000_000;

const CREDITS_PER_PRICE = 1_000;

/** The most credits that a month under a plan may bill, so that an invoice can show their price. */
export function billableCredits({ price_per_1000_credits: price }: Plan): number {
  return Math.min(CREDITS_MAX, Math.floor((OVERAGE_MAX / price) * CREDITS_PER_PRICE));
}

/** The deepest debt that the plan in force, and the one that follows it, can bill. */
function debtMax({ plan, nextPlan }: AccountState): number {
  const next = nextPlan?.plan ?? null;
  const now = plan === null ? CREDITS_MAX : billableCredits(plan);
  return next === null ? now : Math.min(now, billableCredits(next));
}

/**
 * Credits that may still be taken of an account: balance and overdraft, or where that is without a
 * limit, what an invoice can show. Below zero where it is overdrawn.
 */
export function creditsToTake(state: AccountState): number {
  return state.balance + Math.min(state.overdraft ?? CREDITS_MAX, debtMax(state));
}

/**
 * Credits that a call may still cost or a hold keep back: as many as are left without what is held,
 * while the sum of charges is exact.
 */
export function creditsToCharge(state: AccountState): number {
  const held = state.holds?.credits ?? 0;
  return Math.min(creditsToTake(state), CREDITS_MAX - state.totals.charged) - held;
}

/** A debt is billed by the plan that is in force as it is closed, whichever it arose under. */
export function refusePlan({ balance }: AccountState, plan: Plan): Refusal | null {
  const most = billableCredits(plan);
  if (debtOf(balance) <= most) return null;
  return conflict(`At this price at most ${most} credits can be billed; ${-balance} are owed.`);
}

/** The most credits that may still come in: no total ever leaves the safe integers. */
export function creditsLeft({ totals, balance }: AccountState): number {
  return Number.MAX_SAFE_INTEGER - Math.max(totals.granted, balance, 0);
}

/** Whether two plans say the same, whatever the order of their members. */
export function isSamePlan(one: Plan | null, other: Plan | null): boolean {
  return textOf(one) === textOf(other);
}

function textOf(plan: Plan | null): string {
  if (plan === null) return '';
  const { monthly_fee, included_credits, price_per_1000_credits, tax } = plan;
  const { category, rate_percent, reason } = tax;
  return JSON.stringify([
    monthly_fee,
    included_credits,
    price_per_1000_credits,
    [category, rate_percent, reason],
  ]);
}
