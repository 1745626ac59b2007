import type { Calendar } from '#calendar/calendar.js';
import { formatInstant } from '#calendar/instant.js';
import { creditsAt, exceededBy, periodAt, reportedIn, spentOf } from './budget-limits.js';
import type { BudgetForecastExceeded } from './budgets.js';
import type { Terms } from './decide-call.js';
import type { AccountEvent } from './events.js';
import { forecastBudget } from './forecast.js';
import type { AccountState, Budget } from './state.js';

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
  return null;
}

function balanceLow(state: AccountState, callId: string | null): AccountEvent | null {
  const { balance, lowBalance, lastAt: at } = state;
  if (lowBalance === null || balance >= lowBalance || state.toldLow) return null;
  return { type: 'BalanceLow', at, data: { low_balance: lowBalance, balance, call_id: callId } };
}

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

/** Events of the budgets that refuse a call, for each once in a period. */
export function budgetsBlocked(
  state: AccountState,
  apiKey: number,
  credits: number,
  at: number,
  calendar: Calendar,
): AccountEvent[] {
  return exceededBy(state, apiKey, credits).flatMap((budget) => {
    const { label } = periodAt(budget, at, calendar);
    if (reportedIn(budget, label).blocked) return [];
    const alert = {
      budget_id: budget.id,
      period: label,
      limit: budget.limit,
      spent: spentOf(state, budget),
      required_credits: credits,
    };
    return [{ type: 'BudgetBlocked' as const, at, data: alert }];
  });
}
