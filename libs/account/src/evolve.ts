import type { AccountEvent, AccountOpened, Adjusted, ApiKeyIssued, CallMade } from './events.js';
import type { CreditsGranted, GrantExpired } from './events.js';
import { afterDraws, withGrant } from './grants.js';
import { OpenedKeys } from './opened-keys.js';
import type { AccountState, Totals } from './state.js';

/** Instants inside stored events are written by this program and always parse. */
function instant(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

function opened(data: AccountOpened, at: number): Partial<AccountState> {
  const limit = data.rate_limit;
  return {
    openedAt: at,
    currency: data.currency,
    overdraft: data.overdraft,
    test: data.test,
    testClock: instant(data.test_clock),
    rateLimit: limit && { perSecond: limit.per_second, burst: limit.burst },
    lowBalance: data.low_balance,
    rateCard: data.rate_card,
    profile: data.profile.id,
  };
}

function keyIssued(state: AccountState, data: ApiKeyIssued, at: number): Partial<AccountState> {
  const key = {
    id: data.key_id,
    hash: data.hash,
    prefix: data.prefix,
    lastFour: data.last_four,
    scopes: data.scopes,
    expiresAt: instant(data.expires_at),
    issuedAt: at,
    revokedAt: null,
    profile: data.profile.id,
  };
  return { apiKeys: [...state.apiKeys, key] };
}

function keyRevoked(state: AccountState, ordinal: number, at: number): Partial<AccountState> {
  const key = state.apiKeys[ordinal - 1];
  if (key === undefined) throw new Error(`There is no API key ${ordinal} to revoke.`);
  return { apiKeys: state.apiKeys.with(ordinal - 1, { ...key, revokedAt: at }) };
}

function moved(state: AccountState, credits: number, total: keyof Totals): Partial<AccountState> {
  return {
    balance: state.balance + credits,
    totals: { ...state.totals, [total]: state.totals[total] + Math.abs(credits) },
  };
}

function granted(state: AccountState, data: CreditsGranted, at: number): Partial<AccountState> {
  const grant = {
    ordinal: data.grant,
    id: data.grant_id,
    kind: data.kind,
    credits: data.credits,
    left: data.credits - data.repaid,
    priority: data.priority,
    expiresAt: instant(data.expires_at),
    grantedAt: at,
  };
  return {
    ...moved(state, data.credits, 'granted'),
    grants: withGrant(state.grants, grant),
    lastGrant: data.grant,
  };
}

function expired(state: AccountState, data: GrantExpired): Partial<AccountState> {
  return {
    ...moved(state, -data.credits, 'expired'),
    grants: afterDraws(state.grants, [[data.grant, data.credits]]),
  };
}

/** Credits given back are kept like a grant that never expires, drawn after the priced ones. */
const ADJUSTMENT_PRIORITY = 100;

function adjusted(state: AccountState, data: Adjusted, at: number): Partial<AccountState> {
  const totals = { ...state.totals, adjusted: state.totals.adjusted + data.credits };
  const balance = state.balance + data.credits;
  if (data.grant === null) {
    return { balance, totals, grants: afterDraws(state.grants, data.draws) };
  }
  const grant = {
    ordinal: data.grant,
    id: data.grant_id ?? '',
    kind: 'adjustment' as const,
    credits: data.credits,
    left: data.credits - data.repaid,
    priority: ADJUSTMENT_PRIORITY,
    expiresAt: null,
    grantedAt: at,
  };
  return { balance, totals, grants: withGrant(state.grants, grant), lastGrant: data.grant };
}

/** Whether a key is one of a window's own: its path holds that label. */
export function isKeyOf(key: string, window: string): boolean {
  return key.startsWith(`/v1/${window}/`);
}

/** The label a key holds. */
export function windowOfKey(key: string): string {
  return key.slice('/v1/'.length, key.indexOf('/', '/v1/'.length));
}

/** Label of the window in which a call was made. */
export function windowOfCall({ key, window }: CallMade): string {
  return window ?? windowOfKey(key);
}

/** At a rollover the keys of the window that ended are dropped: a set for the new one. */
function openedIn(state: AccountState, window: string): OpenedKeys {
  if (state.window === window) return state.opened;
  return OpenedKeys.of([...state.opened].filter((key) => isKeyOf(key, window)));
}

function pinsAfter({ testClock, pins }: AccountState, { key, release }: CallMade) {
  if (testClock === null) return pins;
  const label = windowOfKey(key);
  return Object.hasOwn(pins, label) ? pins : { ...pins, [label]: release };
}

/** Made in one piece: this is what happens tens of thousands of times a second. */
function afterCall(state: AccountState, data: CallMade, at: number): AccountState {
  const { totals } = state;
  const credits = data.cost[0] + data.cost[1];
  const window = windowOfCall(data);
  const keys = openedIn(state, window);
  return {
    ...state,
    version: state.version + 1,
    lastAt: Math.max(state.lastAt, at),
    balance: state.balance - credits,
    totals: { ...totals, charged: totals.charged + credits },
    grants: afterDraws(state.grants, data.draws),
    window,
    opened: data.kind === 'base' ? keys.plus(data.key) : keys,
    pins: pinsAfter(state, data),
  };
}

type Change = Exclude<AccountEvent, { type: 'CallMade' }>;

function changes(state: AccountState, event: Change): Partial<AccountState> {
  switch (event.type) {
    case 'AccountOpened':
      return opened(event.data, event.at);
    case 'AccountSuspended':
      return { suspended: true };
    case 'AccountResumed':
      return { suspended: false };
    case 'ApiKeyIssued':
      return keyIssued(state, event.data, event.at);
    case 'ApiKeyRevoked':
      return keyRevoked(state, event.data.api_key, event.at);
    case 'CreditsGranted':
      return granted(state, event.data, event.at);
    case 'GrantExpired':
      return expired(state, event.data);
    case 'Adjusted':
      return adjusted(state, event.data, event.at);
    case 'TestClockMoved':
      return { testClock: Date.parse(event.data.now) };
  }
}

/** The state after one more event. Never refuses: what happened, happened. */
export function evolve(state: AccountState, event: AccountEvent): AccountState {
  if (event.type === 'CallMade') return afterCall(state, event.data, event.at);
  return {
    ...state,
    ...changes(state, event),
    version: state.version + 1,
    lastAt: Math.max(state.lastAt, event.at),
  };
}
