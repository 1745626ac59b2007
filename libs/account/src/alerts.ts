import type { Calendar } from '#calendar/calendar.js';
import { creditsAt, periodAt, spentOf, reportedIn } from './budgets.js';
import type { AccountEvent } from './events.js';
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
