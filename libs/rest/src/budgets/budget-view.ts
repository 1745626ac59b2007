import { periodAt, reportedIn } from '#account/budgets.js';
import type { Terms } from '#account/decide-call.js';
import type { AccountState } from '#account/state.js';
import { budgetView } from '#ledger/reads/budget-view.js';
import type { BudgetDetails } from './budget.schemas.js';

/**
 * One budget at a moment (ms since 1970) up to which the state is advanced. `emails`: whom it
 * names; undefined for nobody, or where they were erased. Undefined: the account has no such
 * budget.
 */
export function budgetDetails(
  state: AccountState,
  budgetId: string,
  emails: readonly string[] | undefined,
  at: number,
  terms: Terms,
): BudgetDetails | undefined {
  const budget = state.budgets.find(({ id }) => id === budgetId);
  if (budget === undefined) return undefined;
  const { label } = periodAt(budget, at, terms.calendar);
  const reported = reportedIn(budget, label);
  return {
    ...budgetView(state, budget, at, terms),
    running_period: label,
    crossed_thresholds: reported.thresholds.toSorted((one, other) => one - other),
    blocked: reported.blocked,
    notify: emails === undefined ? null : { emails },
  };
}
