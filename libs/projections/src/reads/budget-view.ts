import { leftOf, periodAt, spentOf } from '#account/budget-limits.js';
import type { Terms } from '#account/decide-call.js';
import { forecastBudget } from '#account/forecast.js';
import type { AccountState, Budget } from '#account/state.js';
import { formatInstant } from '#calendar/instant.js';
import type { BudgetView } from '../views/account-reads.js';

/** A budget as it stands at a moment (ms since 1970), up to which the state must be advanced. */
export function budgetView(
  state: AccountState,
  budget: Budget,
  at: number,
  terms: Terms,
): BudgetView {
  const { id, apiKeyId, period, limit, thresholds, action } = budget;
  const { exhaustedAt, credits } = forecastBudget(state, budget, at, terms);
  return {
    id,
    period,
    limit_credits: limit,
    thresholds,
    action,
    api_key_id: apiKeyId,
    spent_credits: spentOf(state, budget),
    left_credits: leftOf(state, budget),
    resets_at: formatInstant(periodAt(budget, at, terms.calendar).endsAt),
    exhausted_at: forecastText(exhaustedAt),
    expected_credits: credits,
  };
}

const SECOND_MS = 1_000;

/** A moment that is foreseen, in whole seconds: nobody foresees thousandths. */
export function forecastText(moment: number | null): string | null {
  return moment === null ? null : formatInstant(Math.floor(moment / SECOND_MS) * SECOND_MS);
}
