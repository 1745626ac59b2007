import { BUDGETS_MAX } from './budgets.js';
import type { AccountState } from './state.js';
import { after, given, openAccount, setBudget, TUESDAY, when } from './scenario.suite.js';

/** As many budgets as an account may have. */
function fullOfBudgets(): AccountState {
  return Array.from({ length: BUDGETS_MAX }).reduce<AccountState>(
    (state, _, index) => after(state, TUESDAY, setBudget(1, { budgetId: `budget-${index + 9}` })),
    given([TUESDAY, openAccount()]),
  );
}

describe('the budgets of an account', () => {
  it('are at most 100, of which each can still be changed', () => {
    const state = fullOfBudgets();
    expect(when(state, TUESDAY, setBudget(7)).refusal).toEqual({
      reason: 'conflict',
      detail: 'An account has at most 100 budgets: remove one first.',
    });
    const change = setBudget(7, { budgetId: 'budget-9', isNew: false });
    expect(when(state, TUESDAY, change).refusal).toBeNull();
  });
});
