import type { Calendar } from '#calendar/calendar.js';
import type { Span } from '#calendar/span.js';
import type { Refusal } from './refusal.js';
import type { AccountState, Budget, ReportedAlerts } from './state.js';

/** The month or window of a budget at a moment (ms since 1970). */
export function periodAt({ period }: Budget, at: number, calendar: Calendar): Span {
  return period === 'month' ? calendar.monthAt(at) : calendar.windowAt(at);
}

/**
 * Credits spent since the start of the budget's running period, also before the budget was made.
 * Calls that were given back stay counted. The state must be advanced to the moment it is asked
 * for.
 */
export function spentOf(state: AccountState, { period, apiKey }: Budget): number {
  const use = period === 'month' ? state.monthUse : state.windowUse;
  if (apiKey === null) return use.credits;
  return use.creditsByKey.find(([ordinal]) => ordinal === apiKey)?.[1] ?? 0;
}

/** Credits of open holds that count against a budget, whenever they were placed. */
export function heldOf({ holds }: AccountState, { apiKey }: Budget): number {
  if (holds === undefined) return 0;
  if (apiKey === null) return holds.credits;
  return holds.open.reduce((sum, hold) => (hold.apiKey === apiKey ? sum + hold.credits : sum), 0);
}

/** Alerts that a budget has emitted in the period of a label. */
export function reportedIn({ told, period }: Budget, label: string): ReportedAlerts {
  const newest = told[period];
  if (newest?.period === label) return newest;
  return { period: label, thresholds: [], blocked: false, forecast: false };
}

/**
 * The fewest credits that are at least `percent` (an integer) of the limit. Exact: no product of a
 * limit and a percentage has to fit a number.
 */
export function creditsAt(limit: number, percent: number): number {
  return Math.floor(limit / 100) * percent + Math.ceil(((limit % 100) * percent) / 100);
}

/** Credits that may still be spent or held in the running period. */
export function leftOf(state: AccountState, budget: Budget): number {
  return Math.max(0, budget.limit - spentOf(state, budget) - heldOf(state, budget));
}

/** Credits that all budgets which block leave to an API key (an ordinal). */
export function budgetRoom(state: AccountState, apiKey: number): number {
  const blocking = state.budgets.filter((budget) => blocks(budget, apiKey));
  return Math.min(...blocking.map((budget) => leftOf(state, budget)), Number.MAX_SAFE_INTEGER);
}

function blocks(budget: Budget, apiKey: number): boolean {
  return budget.action === 'block' && (budget.apiKey === null || budget.apiKey === apiKey);
}

export function exceededBy(
  state: AccountState,
  apiKey: number,
  credits: number,
): readonly Budget[] {
  return state.budgets.filter(
    (budget) =>
      blocks(budget, apiKey) &&
      spentOf(state, budget) + heldOf(state, budget) + credits > budget.limit,
  );
}

/** The refusal of the budget with the least left that forbids an API key such a charge, or null. */
export function refuseBudget(
  state: AccountState,
  apiKey: number,
  credits: number,
  at: number,
  calendar: Calendar,
): Extract<Refusal, { reason: 'budget-exhausted' }> | null {
  if (state.budgets.length === 0) return null;
  const [first, ...others] = exceededBy(state, apiKey, credits);
  if (first === undefined) return null;
  const least = others.reduce(
    (one, other) => (leftOf(state, other) < leftOf(state, one) ? other : one),
    first,
  );
  return {
    reason: 'budget-exhausted',
    budgetId: least.id,
    requiredCredits: credits,
    leftCredits: leftOf(state, least),
    resetsAt: periodAt(least, at, calendar).endsAt,
  };
}
