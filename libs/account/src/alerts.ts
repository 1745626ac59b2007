import type { Calendar } from '#calendar/calendar.js';
import { formatInstant } from '#calendar/instant.js';
import { creditsAt, periodAt, spentOf, reportedIn } from './budgets.js';
import type { AccountEvent } from './events.js';
import { DAY_MS, forecastBudget, paceStart } from './forecast.js';
import type { AccountState, Budget } from './state.js';

/** A forecast is reported once a budget has spent this much: its first hours say little. */
const FORECAST_PERCENT_MIN = 5;
const SECOND_MS = 1_000;

/** True if an account wants any alert: nearly none does, and then calls are cheaper. */
export function wantsAlerts({ budgets, lowBalance }: AccountState): boolean {
  return budgets.length > 0 || lowBalance !== null;
}

/**
 * The next alert that a state gives reason for, dated at its last event; null when all were
 * emitted. `callId` is the call that led to the state, if one did.
 */
export function nextAlert(
  state: AccountState,
  calendar: Calendar,
  callId: string | null,
): AccountEvent | null {
  if (!wantsAlerts(state)) return null;
  for (const budget of state.budgets) {
    const alert = budgetAlert(state, budget, calendar, callId);
    if (alert !== null) return alert;
  }
  return balanceLow(state, callId);
}

function budgetAlert(
  state: AccountState,
  budget: Budget,
  calendar: Calendar,
  callId: string | null,
): AccountEvent | null {
  const { id, limit, thresholds } = budget;
  const { lastAt: at } = state;
  const spent = spentOf(state, budget);
  if (spent === 0) return null;
  const { label } = periodAt(budget, at, calendar);
  const reported = reportedIn(budget, label);
  const alert = { budget_id: id, period: label, limit, spent };
  const threshold = thresholds.find(
    (percent) => spent >= creditsAt(limit, percent) && !reported.thresholds.includes(percent),
  );
  if (threshold !== undefined) {
    const data = { ...alert, threshold, call_id: callId };
    return { type: 'BudgetThresholdCrossed', at, data };
  }
  if (callId === null || reported.forecast) return null;
  const exhausted = exceedingForecast(state, budget, calendar);
  if (exhausted === null) return null;
  // Nobody foresees thousandths of a second.
  const second = Math.floor(exhausted / SECOND_MS) * SECOND_MS;
  const data = { ...alert, exhausted_at: formatInstant(second), call_id: callId };
  return { type: 'BudgetForecastExceeded', at, data };
}

/** The moment at which a limit will be reached, known after a day and a part of the limit. */
function exceedingForecast(state: AccountState, budget: Budget, calendar: Calendar): number | null {
  const { lastAt: at } = state;
  const spent = spentOf(state, budget);
  if (spent >= budget.limit || spent < creditsAt(budget.limit, FORECAST_PERCENT_MIN)) return null;
  const isEarly = at - paceStart(state, periodAt(budget, at, calendar)) < DAY_MS;
  return isEarly ? null : forecastBudget(state, budget, at, calendar);
}

function balanceLow(state: AccountState, callId: string | null): AccountEvent | null {
  const { balance, lowBalance, lastAt: at } = state;
  if (lowBalance === null || balance >= lowBalance || state.toldLow) return null;
  return { type: 'BalanceLow', at, data: { low_balance: lowBalance, balance, call_id: callId } };
}
