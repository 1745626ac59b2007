import type { Calendar } from '#calendar/calendar.js';
import { changeAccount, eraseProfile, moveTestClock, openAccount, refuseClock } from './account.js';
import { adjustCredits } from './adjustments.js';
import { advance, evolveAll } from './advance.js';
import { budgetsBlocked, forecastAlerts, wantsAlerts } from './alerts.js';
import { endApiKey, issueApiKey, revokeApiKey } from './api-keys.js';
import { changeBilling, recordBilling } from './billing.js';
import { removeBudget, setBudget } from './budgets.js';
import type { Command, MakeCall } from './commands.js';
import { grantCredits, voidGrant } from './credits.js';
import { decideCall, type Terms } from './decide-call.js';
import { openDispute, resolveDispute, type ResolveDispute } from './disputes.js';
import type { AccountEvent } from './events.js';
import { evolve } from './evolve.js';
import { placeHold, type PlaceHold, releaseAll, releaseHold, type ReleaseHold } from './holds.js';
import { openHold } from './open-holds.js';
import { settleHold, type SettleHold } from './settle-hold.js';
import type { ReplayCall } from './calls.js';
import { addMember, removeMember } from './members.js';
import { decideOrder } from './orders.js';
import { openPortalSession, revokePortalSession } from './portal-sessions.js';
import type { Refusal } from './refusal.js';
import { type AccountState, momentOf } from './state.js';

/** Events that give the calls of a dispute back: credit notes first, then an adjustment each. */
export function givenBackBy(
  state: AccountState,
  { origin, giveBack }: ResolveDispute,
  at: number,
  calendar: Calendar,
): readonly AccountEvent[] | Refusal {
  if (giveBack === null) return [];
  const { notes, adjustments } = giveBack;
  const events: AccountEvent[] = notes.map(({ type, data }) => {
    return { type, at, data: { ...origin, ...data } };
  });
  let current = evolveAll(state, events);
  for (const { call, credits, grantId } of adjustments) {
    const billing = { after: current.billing.version, note: null };
    const asked = { command: 'adjust-credits', origin, credits, call, grantId, billing } as const;
    const event = adjustCredits(current, asked, at, calendar);
    if ('reason' in event) return event;
    events.push(event);
    current = evolveAll(current, [event]);
  }
  return events;
}

/**
 * The result of a command: events that fell due before it, its own event, and those that follow.
 * Due events are recorded even when the command is refused, and so is a refusal by a budget.
 */
export interface Decision {
  readonly events: readonly AccountEvent[];
  /** Index in `events` of the command's own event; null when refused or nothing was to do. */
  readonly own: number | null;
  readonly refusal: Refusal | null;
}

/** Commands that a closed account still takes: corrections, and ends of things. */
const OPEN_WHEN_CLOSED: ReadonlySet<Command['command']> = new Set([
  'open-account',
  'close-account',
  'erase-profile',
  'adjust-credits',
  'void-grant',
  'revoke-api-key',
  'move-test-clock',
  // An invoice may wait for them.
  'change-billing',
  'record-billing',
  'revoke-portal-session',
  'remove-member',
  'resolve-dispute',
  'decline-top-up',
  'cancel-top-up',
  'tick',
  'replay-call',
  'settle-hold',
  'release-hold',
  'make-call',
]);

/** The command's own event, a refusal, or null when there is nothing to do. */
function decideOwn(
  state: AccountState,
  command: Command,
  at: number,
  terms: Terms,
): AccountEvent | Refusal | null {
  switch (command.command) {
    case 'open-account':
      return openAccount(state, command, at);
    case 'suspend-account':
      return state.suspended ? null : { type: 'AccountSuspended', at, data: command.origin };
    case 'resume-account':
      return state.suspended ? { type: 'AccountResumed', at, data: command.origin } : null;
    case 'change-account':
      return changeAccount(state, command, at);
    case 'close-account':
      if (state.closedAt !== null) return null;
      return { type: 'AccountClosed', at, data: command.origin };
    case 'erase-profile':
      return eraseProfile(state, command, at);
    case 'issue-api-key':
      return issueApiKey(state, command, at);
    case 'revoke-api-key':
      return revokeApiKey(state, command, at);
    case 'end-api-key':
      return endApiKey(state, command, at);
    case 'grant-credits':
      return grantCredits(state, command, at);
    case 'void-grant':
      return voidGrant(state, command, at);
    case 'adjust-credits':
      return adjustCredits(state, command, at, terms.calendar);
    case 'move-test-clock':
      return moveTestClock(state, command, at);
    case 'set-budget':
      return setBudget(state, command, at);
    case 'remove-budget':
      return removeBudget(state, command, at);
    case 'change-billing':
      return changeBilling(state, command, at);
    case 'record-billing':
      return recordBilling(state, command, at);
    case 'open-portal-session':
      return openPortalSession(command, at);
    case 'revoke-portal-session':
      return revokePortalSession(command, at);
    case 'add-member':
      return addMember(command, at);
    case 'remove-member':
      return removeMember(command, at);
    case 'open-dispute':
      return openDispute(state, command, at);
    case 'resolve-dispute':
      return resolveDispute(state, command, at);
    case 'order-top-up':
    case 'accept-top-up':
    case 'decline-top-up':
    case 'cancel-top-up':
      return decideOrder(state, command, at);
    case 'tick':
    case 'report-forecasts':
      return null;
    case 'replay-call':
    case 'place-hold':
    case 'settle-hold':
    case 'release-hold':
    case 'make-call':
      return decideOfCall(state, command, at, terms);
  }
}

function decideOfCall(
  state: AccountState,
  command: ReplayCall | PlaceHold | SettleHold | ReleaseHold | MakeCall,
  at: number,
  terms: Terms,
): AccountEvent | Refusal | null {
  switch (command.command) {
    case 'replay-call':
      return { type: 'CallReplayed', at, data: { call_id: command.callId } };
    case 'place-hold':
      return placeHold(state, command, at, terms);
    case 'settle-hold':
      return settleHold(state, command, at, terms);
    case 'release-hold':
      return releaseHold(state, command, at);
    case 'make-call':
      return decideCall(state, command.request, at, terms);
  }
}

/** Whether a command charges a call, or keeps credits back for one. */
function isOfRequest(command: Command): command is MakeCall | PlaceHold {
  return command.command === 'make-call' || command.command === 'place-hold';
}

function refuseBefore(state: AccountState, command: Command, now: number): Refusal | null {
  if (state.version === 0 && command.command !== 'open-account')
    return { reason: 'account-unknown' };
  if (state.closedAt !== null && !OPEN_WHEN_CLOSED.has(command.command))
    return { reason: 'account-closed' };
  if (command.command === 'move-test-clock') return refuseClock(state, command);
  if (isOfRequest(command) && now > command.request.notAfter) return { reason: 'too-late' };
  return null;
}

/** Records a refusal where a budget has to report it. */
function recordsOf(
  state: AccountState,
  command: Command,
  refusal: Refusal,
  at: number,
  { calendar }: Terms,
): AccountEvent[] {
  if (refusal.reason !== 'budget-exhausted' || !isOfRequest(command)) return [];
  const { apiKey } = command.request;
  return budgetsBlocked(state, apiKey, refusal.requiredCredits, at, calendar);
}

/** Events that are recorded together with a command's own one: all happen, or none. */
function besides(
  state: AccountState,
  command: Command,
  at: number,
  { calendar }: Terms,
): readonly AccountEvent[] | Refusal {
  if (command.command === 'close-account') return releaseAll(state, at);
  if (command.command === 'resolve-dispute') return givenBackBy(state, command, at, calendar);
  if (command.command !== 'adjust-credits' || !command.billing?.note) return [];
  const { type, data } = command.billing.note;
  return [{ type, at, data: { ...command.origin, ...data } }];
}

/** Id of the call that a command makes; null where it makes none. */
export function callIdOf({ holds }: AccountState, command: Command): string | null {
  if (command.command === 'make-call') return command.request.callId;
  if (command.command !== 'settle-hold') return null;
  const hold = command.expired ?? openHold(holds, command.hold);
  return hold?.callId ?? null;
}

/** Events that follow from an event at once: included credits, and alerts. */
function following(
  state: AccountState,
  own: AccountEvent,
  command: Command,
  terms: Terms,
): AccountEvent[] {
  const { calendar } = terms;
  // Nearly every event is the call of an account that wants no alerts.
  if (own.type === 'CallMade' && !wantsAlerts(state)) return [];
  const callId = callIdOf(state, command);
  const next = evolve(state, own);
  const events = advance(next, own.at, calendar, callId);
  // The days of a test account pass when its clock is moved.
  if (command.command !== 'move-test-clock') return events;
  return [...events, ...forecastAlerts(evolveAll(next, events), own.at, terms)];
}

/**
 * Decides one command of one account. `now` is the corrected real time in ms since 1970; what it
 * means for the account (never backwards, a test clock) is worked out here. A command that
 * nothing else refuses is refused by `unmet`, which looks at the state before it, with all that has
 * fallen due.
 */
export function decide(
  state: AccountState,
  command: Command,
  now: number,
  terms: Terms,
  unmet?: (state: AccountState) => Refusal | null,
): Decision {
  const before = refuseBefore(state, command, now);
  if (before !== null) return { events: [], own: null, refusal: before };
  const at = command.command === 'move-test-clock' ? command.now : momentOf(state, now);
  const due = advance(state, at, terms.calendar);
  const current = evolveAll(state, due);
  const result = decideOwn(current, command, at, terms);
  if (result !== null && 'reason' in result) {
    const records = recordsOf(current, command, result, at, terms);
    return { events: [...due, ...records], own: null, refusal: result };
  }
  const moved = unmet?.(current) ?? null;
  if (moved !== null) return { events: due, own: null, refusal: moved };
  if (result === null) {
    const reports =
      command.command === 'report-forecasts' ? forecastAlerts(current, at, terms) : [];
    return { events: [...due, ...reports], own: null, refusal: null };
  }
  const beside = besides(current, command, at, terms);
  if ('reason' in beside) return { events: due, own: null, refusal: beside };
  const next = following(evolveAll(current, beside), result, command, terms);
  const own = due.length + beside.length;
  const isAlone = own === 0 && next.length === 0;
  const events = isAlone ? [result] : [...due, ...beside, result, ...next];
  return { events, own, refusal: null };
}
