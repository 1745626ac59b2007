import type { Calendar } from '#calendar/calendar.js';
import type { Span } from '#calendar/span.js';
import { periodAt, spentOf } from './budgets.js';
import { availableCredits, type AccountState, type Budget } from './state.js';

export const DAY_MS = 86_400_000;
/** A forecast past this is none. */
const FORECAST_MS_MAX = 36_525 * DAY_MS;

/** When something runs out at today's pace, ms since 1970; null: never, or not in sight. */
export interface Forecast {
  /** When calls would be refused: balance and overdraft are used up. */
  readonly balance: number | null;
  /** By budget id: when the limit is reached, if that is before the period ends. */
  readonly budgets: ReadonlyMap<string, number | null>;
}

/** Since when a pace is taken: an account that was opened within a period has no share before. */
export function paceStart({ openedAt }: AccountState, period: Span): number {
  return Math.max(period.startsAt, openedAt);
}

/**
 * When `left` credits are spent at the pace of a period so far: what was spent in it, over the time
 * since its start, which counts as at least a day.
 */
function spentAt(spent: number, left: number, since: number, at: number): number | null {
  if (left <= 0) return at;
  if (spent === 0) return null;
  const elapsed = Math.max(DAY_MS, at - since);
  const wait = Math.ceil((left / spent) * elapsed);
  return wait > FORECAST_MS_MAX ? null : at + wait;
}

/** When a budget's limit is reached, at the pace of its period; null: not before that ends. */
export function forecastBudget(
  state: AccountState,
  budget: Budget,
  at: number,
  calendar: Calendar,
): number | null {
  const spent = spentOf(state, budget);
  const period = periodAt(budget, at, calendar);
  const exhausted = spentAt(spent, budget.limit - spent, paceStart(state, period), at);
  return exhausted !== null && exhausted < period.endsAt ? exhausted : null;
}

/**
 * When everything that an account has would run out if it went on as in the running month or
 * window, whichever began earlier. Grants and expiries to come are not foreseen. The state must be
 * advanced to the moment `at` (ms since 1970).
 */
export function forecast(state: AccountState, at: number, calendar: Calendar): Forecast {
  const month = calendar.monthAt(at);
  const window = calendar.windowAt(at);
  const isMonth = month.startsAt <= window.startsAt;
  const { credits } = isMonth ? state.monthUse : state.windowUse;
  const available = availableCredits(state);
  const period = isMonth ? month : window;
  const balance =
    available === null ? null : spentAt(credits, available, paceStart(state, period), at);
  const budgets = state.budgets.map(
    (budget) => [budget.id, forecastBudget(state, budget, at, calendar)] as const,
  );
  return { balance, budgets: new Map(budgets) };
}
