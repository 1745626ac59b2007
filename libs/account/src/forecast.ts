import { periodAt, spentOf } from './budget-limits.js';
import { WINDOW_DAYS } from './calls.js';
import type { Terms } from './decide-call.js';
import { type Confidence, type Outlook, outlookOf } from './outlook.js';
import { type AccountState, availableCredits, type Budget } from './state.js';

const DAY_MS = 86_400_000;

/** A forecast past this is none. */
const FORECAST_MS_MAX = 36_525 * DAY_MS;

/** Credits that an account will spend, and when something runs out, in ms since 1970. */
export interface Forecast {
  /** When calls would be refused: balance and overdraft are used up; null: not in sight. */
  readonly exhaustedAt: number | null;
  /** When the balance alone is used up, so that the overdraft begins. */
  readonly balanceExhaustedAt: number | null;
  /** Credits of the running month when it ends, with what was spent of it. */
  readonly monthCredits: number;
  /** Credits of the next window's first calls. */
  readonly nextWindowCredits: number;
  readonly confidence: Confidence;
}

/** A budget at the end of its running period. */
export interface BudgetForecast {
  /** When the limit is reached, if that is before the period ends. */
  readonly exhaustedAt: number | null;
  readonly credits: number;
}

/** Credits that are expected from now until a moment. */
function spentUntil({ days }: Outlook, until: number): number {
  let sum = 0;
  for (const { from, to, credits } of days) {
    if (from >= until) break;
    sum += to <= until ? credits : (credits * (until - from)) / (to - from);
  }
  return Math.round(sum);
}

/** When so many credits are spent; null: not in sight. Weeks after the last go on as that did. */
function spentAt({ days }: Outlook, left: number, at: number): number | null {
  if (left <= 0) return at;
  let open = left;
  for (const { from, to, credits } of days) {
    if (credits >= open) return from + Math.ceil((open / credits) * (to - from));
    open -= credits;
  }
  const week = days.slice(-WINDOW_DAYS).reduce((sum, { credits }) => sum + credits, 0);
  const wait = Math.ceil((open / week) * WINDOW_DAYS * DAY_MS);
  const seen = days.at(-1)?.to ?? at;
  return seen - at + wait > FORECAST_MS_MAX ? null : seen + wait;
}

/**
 * The credits that an account will spend, and when all that it has runs out, if it goes on as in
 * its last windows. Grants and expiries to come are not foreseen. The state must be advanced to the
 * moment `at` (ms since 1970). Without `cards` prices stay as they are.
 */
export function forecast(state: AccountState, at: number, { calendar, cards }: Terms): Forecast {
  const outlook = outlookOf(state, at, calendar, cards);
  const available = availableCredits(state);
  const { confidence, nextBase: nextWindowCredits } = outlook;
  return {
    exhaustedAt: available === null ? null : spentAt(outlook, available, at),
    balanceExhaustedAt: spentAt(outlook, state.balance, at),
    monthCredits: state.monthUse.credits + spentUntil(outlook, calendar.monthAt(at).endsAt),
    nextWindowCredits,
    confidence,
  };
}

/** The part of an account's spending that is an API key's, by what both spent last. */
function shareOf({ monthUse, windowUse }: AccountState, apiKey: number | null): number {
  if (apiKey === null) return 1;
  const all = monthUse.credits + windowUse.credits;
  const own = [monthUse, windowUse].reduce(
    (sum, use) => sum + (use.creditsByKey.find(([key]) => key === apiKey)?.[1] ?? 0),
    0,
  );
  return all === 0 ? 0 : own / all;
}

/** The same of a budget, by the end of its period. */
export function forecastBudget(
  state: AccountState,
  budget: Budget,
  at: number,
  { calendar, cards }: Terms,
): BudgetForecast {
  const outlook = outlookOf(state, at, calendar, cards);
  const share = shareOf(state, budget.apiKey);
  const spent = spentOf(state, budget);
  const { endsAt } = periodAt(budget, at, calendar);
  const left = budget.limit - spent;
  const exhausted = share === 0 && left > 0 ? null : spentAt(outlook, left / (share || 1), at);
  return {
    exhaustedAt: exhausted !== null && exhausted < endsAt ? exhausted : null,
    credits: spent + Math.round(spentUntil(outlook, endsAt) * share),
  };
}

/** Credits that an account is expected to spend until its month ends. */
export function restOfMonth(state: AccountState, at: number, terms: Terms): number {
  const outlook = outlookOf(state, at, terms.calendar, terms.cards);
  return spentUntil(outlook, terms.calendar.monthAt(at).endsAt);
}
