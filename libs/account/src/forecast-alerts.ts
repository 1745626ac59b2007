import { formatInstant } from '#calendar/instant.js';
import { creditsAt, periodAt, reportedIn, spentOf } from './budgets.js';
import type { BudgetForecastExceeded } from './budget-events.js';
import type { Terms } from './decide-call.js';
import type { AccountEvent } from './events.js';
import { forecastBudget } from './forecast.js';
import type { AccountState, Budget } from './state.js';

/** A forecast is reported once a budget has spent this much: its first hours say little. */
const FORECAST_PERCENT_MIN = 5;
const SECOND_MS = 1_000;

type CalendarTerms = Pick<Terms, 'calendar'>;

/**
 * Reports of budgets whose limit will be reached before their period ends, each once a period. They
 * follow from prices that are announced meanwhile too, so nobody owes them: a timer asks for them.
 */
export function forecastAlerts(state: AccountState, at: number, terms: Terms): AccountEvent[] {
  return state.budgets.flatMap((budget) => {
    const alert = alertOf(state, budget, at, terms);
    if (alert === null) return [];
    const { exhaustedAt } = forecastBudget(state, budget, at, terms);
    if (exhaustedAt === null) return [];
    const data = { ...alert, exhausted_at: formatInstant(wholeSecond(exhaustedAt)), call_id: null };
    return [{ type: 'BudgetForecastExceeded' as const, at, data }];
  });
}

/** Nobody foresees thousandths of a second. */
function wholeSecond(at: number): number {
  return Math.floor(at / SECOND_MS) * SECOND_MS;
}

/** Members of a report beside its forecast; null where none may be made. */
function alertOf(state: AccountState, budget: Budget, at: number, { calendar }: CalendarTerms) {
  const { id, limit } = budget;
  const { label: period } = periodAt(budget, at, calendar);
  const spent = spentOf(state, budget);
  const isEarly = spent === 0 || spent < creditsAt(limit, FORECAST_PERCENT_MIN);
  if (isEarly || spent >= limit || reportedIn(budget, period).forecast) return null;
  return { budget_id: id, period, limit, spent };
}

/**
 * A recorded report as it would be made again; null where none was to be made. The moment that was
 * foreseen is taken as it is, if it lies in the rest of the period.
 */
export function forecastAlertAgain(
  state: AccountState,
  { budget_id: id, exhausted_at, call_id }: BudgetForecastExceeded,
  at: number,
  terms: CalendarTerms,
): BudgetForecastExceeded | null {
  const budget = state.budgets.find((one) => one.id === id);
  if (budget === undefined) return null;
  const foreseen = Date.parse(exhausted_at);
  const { endsAt } = periodAt(budget, at, terms.calendar);
  if (!(foreseen >= wholeSecond(at) && foreseen < endsAt)) return null;
  const alert = alertOf(state, budget, at, terms);
  return alert && { ...alert, exhausted_at, call_id };
}
