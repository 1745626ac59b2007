import type { BudgetSet } from './budget-events.js';
import { reportedIn } from './budgets.js';
import type { AccountState, Budget, Reported } from './state.js';

const NOTHING_REPORTED = { month: null, window: null };

/** A changed budget keeps what it has reported: no alert is armed again before the next period. */
export function budgetSet(state: AccountState, data: BudgetSet): Partial<AccountState> {
  const index = state.budgets.findIndex(({ id }) => id === data.budget_id);
  const known = state.budgets[index];
  const budget: Budget = {
    id: data.budget_id,
    apiKey: data.api_key,
    apiKeyId: apiKeyIdOf(state, known, data.api_key),
    period: data.period,
    limit: data.limit,
    thresholds: data.thresholds,
    action: data.action,
    notify: data.notify?.id ?? null,
    told: known?.told ?? NOTHING_REPORTED,
  };
  return {
    budgets: index < 0 ? [...state.budgets, budget] : state.budgets.with(index, budget),
  };
}

/** A budget may name a key that is over, if it did so before that was. */
function apiKeyIdOf(
  { apiKeys }: AccountState,
  known: Budget | undefined,
  apiKey: number | null,
): string | null {
  const key = apiKeys.find(({ ordinal }) => ordinal === apiKey);
  return key?.id ?? (known?.apiKey === apiKey ? known.apiKeyId : null);
}

export function budgetRemoved(state: AccountState, budgetId: string): Partial<AccountState> {
  return { budgets: state.budgets.filter(({ id }) => id !== budgetId) };
}

/** Records what a budget has reported in the period of a label. */
export function budgetReported(
  state: AccountState,
  { budget_id: id, period }: { readonly budget_id: string; readonly period: string },
  news: (reported: Reported) => Partial<Reported>,
): Partial<AccountState> {
  const index = state.budgets.findIndex((budget) => budget.id === id);
  const budget = state.budgets[index];
  if (budget === undefined) throw new Error(`There is no budget ${id}.`);
  const reported = reportedIn(budget, period);
  const newest = { ...reported, ...news(reported) };
  return {
    budgets: state.budgets.with(index, {
      ...budget,
      told: { ...budget.told, [budget.period]: newest },
    }),
  };
}
