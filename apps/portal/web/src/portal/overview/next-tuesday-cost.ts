import { dayOf } from '../../format/days.js';
import type { CreditPrice } from '../../format/money.js';
import type { Account, Forecast } from '../../rest/answers.js';

/** The part of the next window's first calls that is added to an invoice. */
export interface NextTuesdayCost {
  /** Credits that nothing covers, which the plan's price is for. */
  readonly billed: number;
  readonly price: CreditPrice;
}

/**
 * The part of the next window's first calls that neither grants nor included credits cover, if the
 * account goes on as it did; null without a plan. Where the window begins in the next month, it is
 * that month's plan which counts. New grants are not foreseen.
 */
export function nextTuesdayCost(
  account: Account,
  days: Forecast['days'],
  zone: string,
): NextTuesdayCost | null {
  const { now, window, window_ends_at: endsAt, plan, plan_next_month: next, currency } = account;
  const month = dayOf(endsAt, zone).slice(0, 7);
  const isNextMonth = month !== dayOf(now, zone).slice(0, 7);
  const inForce = isNextMonth ? next : plan;
  if (inForce === null) return null;
  const running = days.filter((day) => day.window === window);
  const inMonth = running.filter(({ day }) => day.slice(0, 7) === month);
  const own = isNextMonth
    ? grantsLeft(account, creditsOf(running) - creditsOf(inMonth))
    : grantsLeft(account, creditsOf(running));
  const left = isNextMonth ? own + inForce.included_credits - creditsOf(inMonth) : own;
  const { next_window_credits: wanted } = account.forecast;
  return {
    billed: Math.max(0, wanted - Math.max(0, left)),
    price: { per_1000_credits: inForce.price_per_1000_credits, currency },
  };
}

function creditsOf(days: Forecast['days']): number {
  return days.reduce((sum, { credits }) => sum + credits, 0);
}

/** The rest of grants at the next window; those that end before it are drawn first. */
function grantsLeft({ grants, window_ends_at: endsAt }: Account, spent: number): number {
  const lasts = ({ expires_at: at }: Account['grants'][0]): boolean =>
    at === null || Date.parse(at) > Date.parse(endsAt);
  const sum = (some: Account['grants']): number => some.reduce((all, { left }) => all + left, 0);
  const ending = sum(grants.filter((grant) => !lasts(grant)));
  return Math.max(0, sum(grants.filter(lasts)) - Math.max(0, spent - ending));
}
