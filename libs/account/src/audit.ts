import type { Calendar } from '#calendar/calendar.js';
import { windowOfKey } from '#rating/key-parts.js';
import type { RateCard } from '#rating/rate-card.js';
import { askedPath } from '#rating/resource-key.js';
import type { NamedResource } from '#rating/named-resource.js';
import { nextEvent } from './advance.js';
import { budgetsBlocked, forecastAlertAgain } from './alerts.js';
import { type CallMade, pinName, windowOfCall } from './calls.js';
import type { Command } from './commands.js';
import { callAt, priceFor, refuseCaller, refusePrice, type Terms } from './decide-call.js';
import { compare, deviation, deviationOf, type Deviation, refused } from './deviation.js';
import { auditPlacement, auditSettlement, openedBefore } from './audit-holds.js';
import { decide } from './decide.js';
import { type AccountEvent, eventType } from './events.js';
import { withHead } from './months.js';
import { ownCard } from './own-cards.js';
import type { Refusal } from './refusal.js';
import { type AccountState, isOver, momentOf } from './state.js';

/** Terms of an audit, beside state and event. */
export interface AuditTerms extends Terms {
  /** The resource that a key names; undefined for what is no key. */
  readonly resourceOf: (key: string) => NamedResource | undefined;
}

/** Facts of the log before an event, which alerts and closed months repeat. */
export interface PrecedingFacts {
  /** Id of the call that the account's last event was or reports; null if none. */
  readonly callId: string | null;
  /** Head of the account's chain, hex. */
  readonly head: string;
}

/** The preceding facts of the next event: `callId` and `head` are those of this one. */
export function precedingAfter(
  before: PrecedingFacts,
  { type, data }: AccountEvent,
  callId: string | null,
  head: string,
): PrecedingFacts {
  if (type === 'CallMade') return { callId, head };
  const isOfCall = eventType(type).namesCall && 'call_id' in data && data.call_id !== null;
  return { callId: isOfCall ? before.callId : null, head };
}

type EventOf<Type extends AccountEvent['type']> = Extract<AccountEvent, { type: Type }>;

const DAY_MS = 86_400_000;

/**
 * Decides once more what an event records, in the state before it, and says in which member the
 * record differs: kind, costs, card, rule, draws and balance of a call; ordinals, repaid debt,
 * draws and balance of everything else; that nothing had fallen due and no alert was due before;
 * and that what follows by itself is what had to follow. `opened`: whether an earlier call of the
 * account has opened the key. Without `preceding` the head of a closed month and the call of an
 * alert are taken as they are. Null when every member is as it would be decided.
 */
export function auditEvent(
  state: AccountState,
  event: AccountEvent,
  opened: boolean,
  terms: AuditTerms,
  preceding: PrecedingFacts | null = null,
): Deviation | null {
  if (event.type === 'BudgetForecastExceeded') {
    return auditForecast(state, event, terms.calendar, preceding);
  }
  if (isOwed(state, event)) return auditOwed(state, event, terms.calendar, preceding);
  const time = auditTime(state, event, terms.calendar);
  if (time !== null) return time;
  if (event.type === 'CallMade') return auditCall(state, event, opened, terms);
  if (event.type === 'HoldPlaced') {
    const resource = terms.resourceOf(event.data.key);
    if (resource === undefined) return deviation('key', 'a resource key', event.data.key);
    return auditPlacement(state, event, opened, terms, resource);
  }
  if (event.type === 'BudgetBlocked') return auditBlocked(state, event, terms.calendar);
  const before = asOldState(state, event);
  const { events, own, refusal } = decide(before, commandOf(before, event), event.at, terms);
  if (refusal !== null) return refused(refusal);
  const decided = own === null ? undefined : events[own];
  if (decided?.type !== event.type) return deviation('type', decided?.type ?? null, event.type);
  const expected = asOldVoid(headed(decided, event, preceding), event);
  return deviationOf('at', expected.at, event.at) ?? compare(expected.data, event.data);
}

/** As it is stored: with the head that precedes it, or else the one that it says. */
function headed(
  expected: AccountEvent,
  { data }: AccountEvent,
  preceding: PrecedingFacts | null,
): AccountEvent {
  const recorded = 'account_head' in data ? data.account_head : undefined;
  const head = preceding === null ? recorded : preceding.head;
  return head === undefined ? expected : withHead(expected, head);
}

/** Checks the invariants of an account after any of its events. */
export function auditState({ balance, totals, grants }: AccountState): Deviation | null {
  const { granted, adjusted, charged, expired, voided, billed } = totals;
  const sum = granted + adjusted - charged - expired - voided + billed;
  const left = grants.reduce((credits, grant) => credits + grant.left, 0);
  return (
    deviationOf('balance', sum, balance) ??
    deviationOf('left in grants', Math.max(0, balance), left)
  );
}

/** Whether an event follows from the state by itself: also grants of plans, orders, kept ones. */
function isOwed({ order }: AccountState, event: AccountEvent): boolean {
  if (event.type === 'CreditsGranted') {
    const { kind, credit_note_id: noteId } = event.data;
    return kind === 'included' || noteId !== undefined || order?.isAtOnce === true;
  }
  if (event.type === 'GrantVoided') return event.data.credit_note_id !== undefined;
  return eventType(event.type).class === 'due';
}

/** The command that an event answers to in the state before it, as far as the event says. */
function commandOf(state: AccountState, { type, data }: AccountEvent): Command {
  const { command } = eventType(type);
  if (command === undefined) throw new Error(`No command makes an event of type ${type}.`);
  // Each noun states the command of its events, all of which `decide` takes.
  return command(data as never, state) as Command;
}

function auditOwed(
  state: AccountState,
  event: AccountEvent,
  calendar: Calendar,
  preceding: PrecedingFacts | null,
): Deviation | null {
  const { data } = event;
  const recordedId = 'call_id' in data ? data.call_id : null;
  const callId = preceding === null ? recordedId : preceding.callId;
  const owed = nextEvent(state, event.at, calendar, callId);
  if (owed === null) return deviation('type', null, event.type);
  if (owed.type !== event.type) return deviation('type', owed.type, event.type);
  const expected = asOld(headed(owed, event, preceding), event);
  return deviationOf('at', expected.at, event.at) ?? compare(expected.data, data);
}

/** Events are in the order of time, on the account's own clock, and nothing is recorded late. */
function auditTime(
  state: AccountState,
  { type, at }: AccountEvent,
  calendar: Calendar,
): Deviation | null {
  if (state.version === 0) return null;
  const owed = nextEvent(state, at, calendar);
  if (owed !== null) return deviation('type', owed.type, type);
  const moment = type === 'TestClockMoved' ? at : momentOf(state, at);
  return deviationOf('at', moment, at);
}

/**
 * Prices that were announced later are not known to the log here: what was foreseen is taken from
 * the event. Older versions reported with a call, before alerts of other budgets.
 */
function auditForecast(
  state: AccountState,
  event: EventOf<'BudgetForecastExceeded'>,
  calendar: Calendar,
  preceding: PrecedingFacts | null,
): Deviation | null {
  const { at, data } = event;
  const time =
    data.call_id === null ? auditTime(state, event, calendar) : deviationOf('at', state.lastAt, at);
  if (time !== null) return time;
  const again = forecastAlertAgain(state, data, at, { calendar });
  if (again === null) return deviation('type', null, 'BudgetForecastExceeded');
  const ofCall = data.call_id !== null && preceding !== null;
  return compare(ofCall ? { ...again, call_id: preceding.callId } : again, data);
}

/** The refused call is not recorded: its price is taken from the event. */
function auditBlocked(
  state: AccountState,
  { at, data }: EventOf<'BudgetBlocked'>,
  calendar: Calendar,
): Deviation | null {
  const { budget_id: id, required_credits: credits } = data;
  const apiKey = state.budgets.find((budget) => budget.id === id)?.apiKey ?? 1;
  const blocked = budgetsBlocked(state, apiKey, credits, at, calendar);
  const expected = blocked.find(
    (event) => 'budget_id' in event.data && event.data.budget_id === id,
  );
  if (expected === undefined) return deviation('type', null, 'BudgetBlocked');
  return compare(expected.data, data);
}

function auditCall(
  state: AccountState,
  { at, data }: EventOf<'CallMade'>,
  opened: boolean,
  terms: AuditTerms,
): Deviation | null {
  const resource = terms.resourceOf(data.key);
  if (resource === undefined) return deviation('key', 'a resource key', data.key);
  if (data.hold !== undefined) return auditSettlement(state, { at, data }, opened, terms);
  const window = windowOfCall(data);
  if (!mayBeIn(at, window, terms.calendar)) {
    return deviation('window', terms.calendar.windowAt(at).label, window);
  }
  const caller = refuseCaller(state, data.api_key, at) ?? refuseRelease(state, data);
  if (caller !== null) return refused(caller);
  if (!Number.isSafeInteger(data.rows) || data.rows < 0) return deviation('rows', 0, data.rows);
  const { key, rows, units, release } = data;
  const { rateCard, rateCards, pinnedCards } = state;
  const known = { rateCard, rateCards, pinnedCards, opened: openedBefore(state, key, opened) };
  const cards = cardsOfThen(state, data, window, terms.cards);
  const price = priceFor(known, { key, resource, rows, units }, window, cards);
  if ('reason' in price) return refused(price);
  const tags = data.tags ?? null;
  const asked = askedPath(key, data.asked);
  const request = {
    key,
    asked,
    resource,
    rows,
    window,
    release,
    apiKey: data.api_key,
    tags,
    requestId: data.request,
    units,
  };
  const decided = callAt(state, request, price, at);
  const refusal = refusePrice(state, price, data.api_key, null, at, terms.calendar);
  return compare(decided.data, data) ?? (refusal && refused(refusal));
}

/**
 * A label is kept as it was, also when a newer time zone database moves the boundaries: a change of
 * clocks is no more than a day.
 */
function mayBeIn(at: number, window: string, calendar: Calendar): boolean {
  return [0, -DAY_MS, DAY_MS].some((shift) => calendar.windowAt(at + shift).label === window);
}

function refuseRelease(state: AccountState, { key, release }: CallMade): Refusal | null {
  const pinned = state.testClock === null ? undefined : state.pins[pinName(key, windowOfKey(key))];
  if (pinned === undefined || pinned === release) return null;
  return { reason: 'release-moved', release: pinned };
}

// What older versions of the program wrote otherwise: their logs verify all the same.

/**
 * Older versions made portal links of closed accounts too, revoked API keys that had expired, made
 * budgets for keys that were over, left all purchases on their month's invoice, and credited one
 * that was voided between its month's end and that invoice.
 */
export function asOldState(state: AccountState, event: AccountEvent): AccountState {
  const { type, data, at } = event;
  if (type === 'PortalSessionOpened') return { ...state, closedAt: null };
  if (type === 'ApiKeyRevoked') return withApiKey(state, data.api_key, data.key_id, at);
  if (type === 'CreditsGranted' && data.invoiced === undefined) {
    return { ...state, billing: { ...state.billing, purchases: 'monthly' } };
  }
  if (type === 'GrantVoided' && data.refund_by === 'credit_note') {
    const unbilled = state.billing.unbilled.filter(({ month }) => month === undefined);
    return { ...state, billing: { ...state.billing, unbilled } };
  }
  return type === 'BudgetSet' ? withApiKey(state, data.api_key, '', at) : state;
}

/** An account as if a key that it was issued were not over. */
function withApiKey(
  state: AccountState,
  apiKey: number | null,
  id: string,
  at: number,
): AccountState {
  if (apiKey === null || apiKey < 1 || apiKey > state.lastApiKey) return state;
  const held = state.apiKeys.find(({ ordinal }) => ordinal === apiKey);
  if (held !== undefined && !isOver(held, at)) return state;
  const named = { ordinal: apiKey, id, hash: '', prefix: '', lastFour: '', scopes: [] };
  const key = { issuedAt: 0, profile: '', ...named, ...held, expiresAt: null };
  return { ...state, apiKeys: [...state.apiKeys.filter((one) => one !== held), key] };
}

/** Older versions wrote the close of a month without the grants, and left the overdraft. */
export function asOld(owed: AccountEvent, event: AccountEvent): AccountEvent {
  if (owed.type !== 'MonthClosed' || event.type !== 'MonthClosed') return owed;
  const { grants, overdraft, ...data } = owed.data;
  const known = {
    ...(event.data.grants !== undefined && { grants }),
    ...(event.data.overdraft !== undefined && { overdraft }),
  };
  return { ...owed, data: { ...data, ...known } };
}

/** Older versions did not say what is left of a grant, and gave nothing back. */
export function asOldVoid(expected: AccountEvent, event: AccountEvent): AccountEvent {
  if (expected.type !== 'GrantVoided' || event.type !== 'GrantVoided') return expected;
  if (event.data.left !== undefined) return expected;
  const { left: _left, ...data } = expected.data;
  return { ...expected, data };
}

/**
 * The cards that were published when a call was decided. Under a test clock that may be before a
 * card of the call's window: the first call there pins the one that was in force then, which its
 * event names. All that the account had pinned before were published too.
 */
export function cardsOfThen(
  state: AccountState,
  { key, card: named }: Pick<CallMade, 'key' | 'card'>,
  window: string,
  cards: readonly RateCard[],
): readonly RateCard[] {
  const { testClock, pinnedCards } = state;
  const isOwn = ownCard(state, key) !== undefined;
  const isPinning = testClock !== null && !isOwn && pinnedCards[pinName(key, window)] === undefined;
  if (!isPinning || !cards.some(({ version }) => version === named)) return cards;
  const newest = Math.max(named, ...Object.values(pinnedCards));
  return cards.filter(({ version }) => version <= newest);
}
