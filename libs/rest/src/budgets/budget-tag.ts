import type { AccountState } from '#account/state.js';
import type { TagOf } from '#deciding/changes/account-change.js';
import { contentTag } from '#deciding/changes/entity-tag.js';

/**
 * The validator of a budget: of what is set of it. What is spent of it, which every call changes,
 * stands in no way of a change.
 */
export function budgetTag({ budgets }: AccountState, budgetId: string): string {
  const budget = budgets.find(({ id }) => id === budgetId);
  if (budget === undefined) return contentTag(null);
  const { apiKey, period, limit, thresholds, action, notify } = budget;
  return contentTag([apiKey, period, limit, thresholds, action, notify]);
}

/** The same of one budget, for whichever state a change of it is decided on. */
export function tagOfBudget(budgetId: string): TagOf {
  return (state) => budgetTag(state, budgetId);
}
