import type { Calendar } from '#calendar/calendar.js';
import { askedPath } from '#rating/resource-path.js';
import type { Resource } from '#rating/resource.js';
import { advance, dueAt } from './advance.js';
import type { Command } from './commands.js';
import { decide } from './decide.js';
import { callAt, priceFor, refuseCaller, refusePrice, type Terms } from './decide-call.js';
import type { AccountEvent, CallMade } from './events.js';
import { windowOfCall, windowOfKey } from './evolve.js';
import type { Refusal } from './refusal.js';
import { momentOf, recall, type AccountState } from './state.js';

/** One member of a recorded event that is not what the decision would say. */
export interface Deviation {
  readonly member: string;
  readonly expected: unknown;
  readonly found: unknown;
}

/** What an audit needs beside state and event. */
export interface AuditTerms extends Terms {
  /** The resource that a key names; undefined for what is no key. */
  readonly resourceOf: (key: string) => Resource | undefined;
}

type EventOf<Type extends AccountEvent['type']> = Extract<AccountEvent, { type: Type }>;

const DAY_MS = 86_400_000;

/**
 * Decides once more what an event records, in the state before it, and says in which member the
 * record differs: kind, costs, card, rule, draws and balance of a call; ordinals, repaid debt,
 * draws and balance of everything else; and that nothing had fallen due before. `opened`: whether an
 * earlier call of the account has opened the key. Null when every member is as it would be decided.
 */
export function auditEvent(
  state: AccountState,
  event: AccountEvent,
  opened: boolean,
  terms: AuditTerms,
): Deviation | null {
  const time = auditTime(state, event);
  if (time !== null) return time;
  if (event.type === 'CallMade') return auditCall(state, event, opened, terms);
  if (event.type === 'GrantExpired') return compare(advance(state, event.at)[0]?.data, event.data);
  const { events, refusal } = decide(state, commandOf(event), event.at, terms);
  if (refusal !== null) return refused(refusal);
  const decided = events.at(-1);
  if (decided?.type !== event.type) return deviation('type', decided?.type ?? null, event.type);
  return deviationOf('at', decided.at, event.at) ?? compare(decided.data, event.data);
}

/** What must hold of an account after any of its events. */
export function auditState({ balance, totals, grants, overdraft }: AccountState): Deviation | null {
  const sum = totals.granted + totals.adjusted - totals.charged - totals.expired;
  const left = grants.reduce((credits, grant) => credits + grant.left, 0);
  const isBelow = overdraft !== null && balance < -overdraft;
  return (
    deviationOf('balance', sum, balance) ??
    deviationOf('left in grants', Math.max(0, balance), left) ??
    (isBelow ? deviation('balance', `at least ${-overdraft}`, balance) : null)
  );
}

/** Events are in the order of time, on the account's own clock, and nothing is recorded late. */
function auditTime(state: AccountState, event: AccountEvent): Deviation | null {
  const { type, at } = event;
  if (state.version === 0) return null;
  const due = dueAt(state);
  if (type === 'GrantExpired') return deviationOf('at', due, at);
  if (due !== null && due <= at) return deviation('type', 'GrantExpired', type);
  const moment = type === 'TestClockMoved' ? at : momentOf(state, at);
  return deviationOf('at', moment, at);
}

function auditCall(
  state: AccountState,
  { at, data }: EventOf<'CallMade'>,
  opened: boolean,
  terms: AuditTerms,
): Deviation | null {
  const resource = terms.resourceOf(data.key);
  if (resource === undefined) return deviation('key', 'a resource key', data.key);
  const window = windowOfCall(data);
  if (!mayBeIn(at, window, terms.calendar)) {
    return deviation('window', terms.calendar.windowAt(at).label, window);
  }
  const caller = refuseCaller(state, data.api_key, at) ?? refuseRelease(state, data);
  if (caller !== null) return refused(caller);
  if (!Number.isSafeInteger(data.rows) || data.rows < 0) return deviation('rows', 0, data.rows);
  const { key, rows, release } = data;
  const known = opened ? recall(state, [key]) : state;
  const price = priceFor(known, { key, resource, rows }, window, terms.cards);
  const tags = data.tags ?? null;
  const asked = askedPath(key, data.asked);
  const request = { key, asked, resource, rows, window, release, apiKey: data.api_key, tags };
  const decided = callAt(state, request, price, at);
  const refusal = refusePrice(state, price, null);
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
  const pinned = state.testClock === null ? undefined : state.pins[windowOfKey(key)];
  if (pinned === undefined || pinned === release) return null;
  return { reason: 'release-moved', release: pinned };
}

function instant(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

/** The command that an event answers to, as far as the event tells. */
function commandOf(event: Exclude<AccountEvent, EventOf<'CallMade' | 'GrantExpired'>>): Command {
  const { by, request, input, reason } = event.data;
  const origin = { by, request, input, ...(reason !== undefined && { reason }) };
  switch (event.type) {
    case 'AccountOpened':
      return openingOf(event, origin);
    case 'AccountSuspended':
      return { command: 'suspend-account', origin };
    case 'AccountResumed':
      return { command: 'resume-account', origin };
    case 'ApiKeyIssued': {
      const { key_id: keyId, hash, prefix, last_four: lastFour, scopes, profile } = event.data;
      const expiresAt = instant(event.data.expires_at);
      const key = { keyId, hash, prefix, lastFour, scopes, expiresAt, profile };
      return { command: 'issue-api-key', origin, ...key };
    }
    case 'ApiKeyRevoked':
      return { command: 'revoke-api-key', origin, keyId: event.data.key_id };
    case 'CreditsGranted': {
      const { grant_id: grantId, credits, kind, price, priority, profile } = event.data;
      const expiresAt = instant(event.data.expires_at);
      const grant = { grantId, credits, kind, price, expiresAt, priority, profile };
      return { command: 'grant-credits', origin, ...grant };
    }
    case 'Adjusted':
      return adjustmentOf(event, origin);
    case 'TestClockMoved':
      return { command: 'move-test-clock', origin, now: Date.parse(event.data.now) };
  }
}

type OriginOf = Extract<Command, { command: 'suspend-account' | 'resume-account' }>['origin'];

function openingOf({ data }: EventOf<'AccountOpened'>, origin: OriginOf): Command {
  const { profile, currency, overdraft, test, rate_limit: limit } = data;
  return {
    command: 'open-account',
    origin,
    profile,
    currency,
    overdraft,
    test,
    testClock: instant(data.test_clock),
    rateLimit: limit && { perSecond: limit.per_second, burst: limit.burst },
    lowBalance: data.low_balance,
    rateCard: data.rate_card,
  };
}

/** What the call was charged stands elsewhere: it is taken to be enough here. */
function adjustmentOf({ data }: EventOf<'Adjusted'>, origin: OriginOf): Command {
  const { credits, reason, call_id: callId, grant_id: grantId } = data;
  const call = callId === null ? null : { callId, charged: credits };
  return {
    command: 'adjust-credits',
    origin: { ...origin, reason },
    credits,
    call,
    grantId: grantId ?? '',
  };
}

function deviation(member: string, expected: unknown, found: unknown): Deviation {
  return { member, expected, found };
}

function deviationOf(member: string, expected: unknown, found: unknown): Deviation | null {
  return expected === found ? null : deviation(member, expected, found);
}

function refused({ reason }: Refusal): Deviation {
  return deviation('decision', `refused: ${reason}`, 'recorded');
}

/** The first member in which a record differs from what would be recorded. */
function compare(expected: object | undefined, found: object): Deviation | null {
  const wanted = (expected ?? {}) as Readonly<Record<string, unknown>>;
  const recorded = found as Readonly<Record<string, unknown>>;
  for (const member in recorded) {
    if (!isSame(wanted[member], recorded[member])) {
      return deviation(member, wanted[member], recorded[member]);
    }
  }
  for (const member in wanted) {
    const isMissing = !(member in recorded) && wanted[member] !== undefined;
    if (isMissing) return deviation(member, wanted[member], undefined);
  }
  return null;
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  if (one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false;
  return compare(one, other) === null;
}
