import { periodAt, toldIn } from '#account/budgets.js';
import type { AccountState } from '#account/state.js';
import type { Calendar } from '#calendar/calendar.js';
import type { BudgetView } from '#ledger/account-reads.js';
import { budgetView } from '#ledger/budget-view.js';

/** A budget as operators see it: also what it has told in its running period, and whom. */
export interface OperatorBudgetView extends BudgetView {
  /** Label of the month or window that runs. */
  readonly running_period: string;
  /** Thresholds that were crossed in it, ascending. */
  readonly crossed_thresholds: readonly number[];
  /** Whether it has refused a call in it. */
  readonly blocked: boolean;
  readonly notify: { readonly emails: readonly string[] } | null;
}

/**
 * One budget at a moment (ms since 1970) up to which the state is advanced. `emails`: whom it names;
 * undefined for nobody, or where they were erased. Undefined: the account has no such budget.
 */
export function operatorBudgetView(
  state: AccountState,
  budgetId: string,
  emails: readonly string[] | undefined,
  at: number,
  calendar: Calendar,
): OperatorBudgetView | undefined {
  const budget = state.budgets.find(({ id }) => id === budgetId);
  if (budget === undefined) return undefined;
  const { label } = periodAt(budget, at, calendar);
  const told = toldIn(budget, label);
  return {
    ...budgetView(state, budget, at, calendar),
    running_period: label,
    crossed_thresholds: told.thresholds.toSorted((one, other) => one - other),
    blocked: told.blocked,
    notify: emails === undefined ? null : { emails },
  };
}
