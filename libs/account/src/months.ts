import type { Calendar } from '#calendar/calendar.js';
import { formatInstant } from '#calendar/instant.js';
import type { Month, Window } from '#calendar/window.js';
import type { AccountEvent } from './events.js';
import { debtOf } from './grants.js';
import { creditsLeft } from './limits.js';
import { planToFollow } from './periods.js';
import type { AccountState } from './state.js';

/** Drawn before what was bought. */
const INCLUDED_PRIORITY = 50;

/** Origin of what nobody asked for. */
export const SYSTEM = { by: 'system', request: '', input: '' };

const YEAR_MONTH_LENGTH = 6;

const UUID_LENGTH = 36;

const UUID_VERSION_AT = 14;

/**
 * The month that is to be closed next: one in which something happened or a plan is in force. Null
 * when there is none, so that idle months of an account without a plan leave no event.
 */
export function openMonth(state: AccountState, calendar: Calendar): Month | null {
  const { monthSince, lastClose } = state;
  if (monthSince === null) return null;
  const month = calendar.monthAt(monthSince);
  // A newer time zone database may have moved the boundary past the moment of the last close.
  const isClosed = lastClose !== null && month.label <= lastClose.month;
  return isClosed ? calendar.monthAt(month.endsAt) : month;
}

/** The window that is to be closed next: the one in which the account last called. */
export function openWindow(state: AccountState, calendar: Calendar): Window | null {
  if (state.window === null || state.windowUse.calls === 0) return null;
  const window = calendar.windowOf(state.window);
  if (window === undefined) throw new Error(`${state.window} is the label of no window.`);
  return window;
}

/** The end of a month: under a plan what the balance is below zero becomes the overage. */
export function monthClosed(state: AccountState, month: Month): AccountEvent {
  const { balance, beforePlan, grants, lastClose, monthUse, plan, totals } = state;
  const debt = debtOf(balance);
  const overage = plan === null ? 0 : debt;
  return {
    type: 'MonthClosed',
    // An account from before months were closed may have gone on past the end of this one.
    at: Math.max(month.endsAt, state.lastAt),
    data: {
      month: month.label,
      plan,
      calls: monthUse.calls,
      credits: monthUse.credits,
      opening_balance: lastClose?.balance ?? 0,
      balance_before: balance,
      balance: balance + overage,
      overage,
      carried: debt - overage,
      grants: grants.map(({ ordinal, left }) => [ordinal, left]),
      ...(beforePlan !== null &&
        planToFollow(state) === null && { overdraft: beforePlan.overdraft }),
      totals: { ...totals, billed: totals.billed + overage },
      account_version: { from: (lastClose?.version ?? 0) + 1, to: state.version },
    },
  };
}

/** The end of a window in which the account called. */
export function windowClosed(state: AccountState, window: Window): AccountEvent {
  const { calls, baseCalls, credits } = state.windowUse;
  return {
    type: 'WindowClosed',
    at: Math.max(window.endsAt, state.lastAt),
    data: { window: window.label, calls, base_calls: baseCalls, credits },
  };
}

/** The plan's credits of the running month, which expire as it ends. */
export function includedCredits(state: AccountState, calendar: Calendar): AccountEvent {
  const month = openMonth(state, calendar);
  const { plan, lastAt: at } = state;
  if (month === null || plan === null) throw new Error('No plan is in force.');
  const credits = Math.min(plan.included_credits, creditsLeft(state));
  return {
    type: 'CreditsGranted',
    at,
    data: {
      ...SYSTEM,
      grant: state.lastGrant + 1,
      grant_id: includedGrantId(state.profile, month.label),
      credits,
      kind: 'included',
      price: null,
      expires_at: formatInstant(month.endsAt),
      priority: INCLUDED_PRIORITY,
      profile: null,
      repaid: Math.min(credits, debtOf(state.balance)),
      balance: state.balance + credits,
    },
  };
}

/** A UUIDv8 that names the included credits of one account and month, the same on every run. */
function includedGrantId(profile: string, month: string): string {
  const random = profile.slice(UUID_VERSION_AT + 1, UUID_LENGTH - YEAR_MONTH_LENGTH);
  return `${profile.slice(0, UUID_VERSION_AT)}8${random}${month.replace('-', '')}`;
}

/**
 * The event as it is stored: the close of a month, and a purchase that is invoiced at once, hold
 * the head of the account's chain (hex) before it, which only the writer of the log knows.
 */
export function withHead(event: AccountEvent, head: string): AccountEvent {
  if (event.type === 'MonthClosed') {
    return { ...event, data: { ...event.data, account_head: head } };
  }
  if (event.type !== 'CreditsGranted' || event.data.invoiced === undefined) return event;
  return { ...event, data: { ...event.data, account_head: head } };
}
