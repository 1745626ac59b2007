import type { Calendar } from '#calendar/calendar.js';
import { formatInstant } from '#calendar/instant.js';
import type { Month, Window } from '#calendar/window.js';
import { nextAlert } from './alerts.js';
import type { AccountEvent } from './events.js';
import { evolve } from './evolve.js';
import { debtOf } from './grants.js';
import { holdExpired } from './holds.js';
import {
  includedCredits,
  monthClosed,
  openMonth,
  openWindow,
  SYSTEM,
  windowClosed,
} from './months.js';
import { orderedCredits } from './orders.js';
import type { AccountState, DueApplication, DueVoid, Grant } from './state.js';

/** Of grants that expire at the same moment the one that would be drawn first. */
function firstExpiring({ grants }: AccountState): Grant | null {
  let first: Grant | null = null;
  let earliest = Infinity;
  for (const grant of grants) {
    if (grant.expiresAt !== null && grant.expiresAt < earliest) {
      first = grant;
      earliest = grant.expiresAt;
    }
  }
  return first;
}

/**
 * Moment of the next event that falls due by itself, ms since 1970; null when there is none. It may
 * lie before the last event of an account that an older version of the program wrote.
 */
export function dueAt(state: AccountState, calendar: Calendar): number | null {
  const expiry = firstExpiring(state)?.expiresAt ?? Infinity;
  const monthEnd = openMonth(state, calendar)?.endsAt ?? Infinity;
  const windowEnd = openWindow(state, calendar)?.endsAt ?? Infinity;
  const holdEnd = state.holds?.open[0]?.expiresAt ?? Infinity;
  const due = Math.min(holdEnd, expiry, monthEnd, windowEnd);
  return due === Infinity ? null : due;
}

/** The cheap question comes first, because each call asks it: does the month still run? */
function endedMonth(state: AccountState, until: number, calendar: Calendar): Month | null {
  const { monthSince } = state;
  if (monthSince === null || calendar.monthAt(until).startsAt <= monthSince) return null;
  const month = openMonth(state, calendar);
  return month !== null && month.endsAt <= until ? month : null;
}

function endedWindow(state: AccountState, until: number, calendar: Calendar): Window | null {
  if (state.windowUse.calls === 0 || calendar.windowAt(until).label === state.window) return null;
  const window = openWindow(state, calendar);
  return window !== null && window.endsAt <= until ? window : null;
}

function grantExpired(state: AccountState, grant: Grant, at: number): AccountEvent {
  const { ordinal, id, left: credits } = grant;
  const balance = state.balance - credits;
  return { type: 'GrantExpired', at, data: { grant: ordinal, grant_id: id, credits, balance } };
}

/** Credits of a purchase go with the credit note that gives their price back. */
function creditsCredited(
  { grants, balance, lastAt: at }: AccountState,
  { purchase: [grant_id, credits, refund], creditNoteId: credit_note_id }: DueVoid,
): AccountEvent {
  const grant = grants.find(({ id }) => id === grant_id);
  if (grant === undefined) throw new Error(`Nothing is left of grant ${grant_id}.`);
  const gone = { grant: grant.ordinal, grant_id, credits, left: grant.left - credits };
  const data = { ...SYSTEM, ...gone, refund, credit_note_id, balance: balance - credits };
  return { type: 'GrantVoided', at, data };
}

/** The same credits again, which nobody has paid for now. */
function creditsKept(
  { balance, lastGrant, lastAt: at }: AccountState,
  { keptAs: grant_id = '', creditNoteId: credit_note_id }: DueVoid,
  { credits, priority, expiresAt }: NonNullable<DueVoid['kept']>,
): AccountEvent {
  return {
    type: 'CreditsGranted',
    at,
    data: {
      ...SYSTEM,
      grant: lastGrant + 1,
      grant_id,
      credits,
      kind: 'promotional',
      price: null,
      expires_at: expiresAt === null ? null : formatInstant(expiresAt),
      priority,
      profile: null,
      repaid: Math.min(credits, debtOf(balance)),
      balance: balance + credits,
      credit_note_id,
    },
  };
}

function balanceApplied(
  { currency, lastAt: at }: AccountState,
  { invoiceId: invoice_id, amount, date }: DueApplication,
): AccountEvent {
  return { type: 'CreditBalanceApplied', at, data: { invoice_id, amount, currency, date } };
}

/**
 * The earliest that has fallen due. At one instant: holds, expiries, month, included credits,
 * window.
 */
function nextDue(state: AccountState, until: number, calendar: Calendar): AccountEvent | null {
  const { voids, applying } = state.billing;
  const [going] = voids;
  if (going?.kept !== undefined) return creditsKept(state, going, going.kept);
  if (going !== undefined) return creditsCredited(state, going);
  if (applying !== null) return balanceApplied(state, applying);
  if (state.includedDue) return includedCredits(state, calendar);
  if (state.order?.isAtOnce) return orderedCredits(state, state.order, SYSTEM);
  const grant = firstExpiring(state);
  const month = endedMonth(state, until, calendar);
  const window = endedWindow(state, until, calendar);
  const expiry = grant?.expiresAt ?? Infinity;
  const monthEnd = month?.endsAt ?? Infinity;
  const windowEnd = window?.endsAt ?? Infinity;
  const hold = state.holds?.open[0];
  const due = Math.min(hold?.expiresAt ?? Infinity, expiry, monthEnd, windowEnd);
  if (due > until) return null;
  if (hold?.expiresAt === due) return holdExpired(state, hold);
  if (grant !== null && expiry === due) return grantExpired(state, grant, due);
  if (month !== null && monthEnd === due) return monthClosed(state, month);
  return window && windowClosed(state, window);
}

/**
 * The next event that follows from a state by itself up to a moment (inclusive, ms since 1970), or
 * null. Events that are due at the moment of the last event come first, then alerts, so that a
 * month's end reports no low balance that its included credits have repaired.
 */
export function nextEvent(
  state: AccountState,
  until: number,
  calendar: Calendar,
  callId: string | null = null,
): AccountEvent | null {
  const due = nextDue(state, until, calendar);
  if (due !== null && due.at <= state.lastAt) return due;
  return nextAlert(state, calendar, callId) ?? due;
}

/**
 * Every event that has become due up to now, in time order, each with its own moment. Two steps
 * over the halves of a period yield the same as one over the whole. `callId`: the call that led to
 * the state, which alerts name.
 */
export function advance(
  state: AccountState,
  now: number,
  calendar: Calendar,
  callId: string | null = null,
): AccountEvent[] {
  const events: AccountEvent[] = [];
  let current = state;
  for (
    let event = nextEvent(current, now, calendar, callId);
    event !== null;
    event = nextEvent(current, now, calendar, callId)
  ) {
    events.push(event);
    current = evolve(current, event);
  }
  return events;
}

/** A state with events applied in order. */
export function evolveAll(state: AccountState, events: readonly AccountEvent[]): AccountState {
  return events.reduce(evolve, state);
}
