import type { RemoveBudget, SetBudget } from './commands.js';
import type { AccountEvent } from './events.js';
import { conflict, type Refusal } from './refusal.js';
import type { AccountState, Budget } from './state.js';

/**
 * The ordinal of the API key that a budget may name: one that is not over, or the one that the
 * budget names already. Undefined: there is no such key.
 */
export function apiKeyOf(
  { apiKeys }: AccountState,
  known: Budget | undefined,
  apiKeyId: string | null,
): number | null | undefined {
  if (apiKeyId === null) return null;
  const key = apiKeys.find(({ id }) => id === apiKeyId);
  return key?.ordinal ?? (known?.apiKeyId === apiKeyId ? known.apiKey : undefined);
}

/** Each call looks at all of them. */
export const BUDGETS_MAX = 100;

const UNKNOWN: Refusal = { reason: 'not-found', detail: 'The account has no such budget.' };

function isSame(budget: Budget, command: SetBudget, apiKey: number | null): boolean {
  return (
    budget.apiKey === apiKey &&
    budget.period === command.period &&
    budget.limit === command.limit &&
    budget.action === command.action &&
    budget.notify === (command.notify?.id ?? null) &&
    budget.thresholds.join() === command.thresholds.join()
  );
}

function refuseNew(state: AccountState, known: Budget | undefined): Refusal | null {
  if (known !== undefined) return conflict('A budget with that id exists.');
  if (state.budgets.length < BUDGETS_MAX) return null;
  return conflict(`An account has at most ${BUDGETS_MAX} budgets.`);
}

export function setBudget(
  state: AccountState,
  command: SetBudget,
  at: number,
): AccountEvent | Refusal | null {
  const { origin, budgetId, isNew, apiKeyId, period, limit, thresholds, action, notify } = command;
  const known = state.budgets.find(({ id }) => id === budgetId);
  const refusal = isNew ? refuseNew(state, known) : known === undefined ? UNKNOWN : null;
  if (refusal !== null) return refusal;
  const apiKey = apiKeyOf(state, known, apiKeyId);
  if (apiKey === undefined) {
    return { reason: 'not-found', detail: 'The account has no such API key.' };
  }
  if (known !== undefined && isSame(known, command, apiKey)) return null;
  const budget = { api_key: apiKey, period, limit, thresholds, action, notify };
  return { type: 'BudgetSet', at, data: { ...origin, budget_id: budgetId, ...budget } };
}

export function removeBudget(
  state: AccountState,
  { origin, budgetId }: RemoveBudget,
  at: number,
): AccountEvent | Refusal {
  if (!state.budgets.some(({ id }) => id === budgetId)) return UNKNOWN;
  return { type: 'BudgetRemoved', at, data: { ...origin, budget_id: budgetId } };
}
