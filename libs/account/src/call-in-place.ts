import {
  type CallEvent,
  type CallMade,
  dayIn,
  rhythmAfter,
  stateWith,
  windowOfCall,
} from './calls.js';
import { isIndexKey } from '#rating/key-parts.js';
import type { AccountState, Grant, Use, WindowRhythm } from './state.js';

type Mutable<Part> = { -readonly [Name in keyof Part]: Part[Name] };

/** Members that a call replaces, as they were before it. */
export type BeforeCall = Pick<AccountState, 'lastAt' | 'opened' | 'rhythm'>;

function copyOfUse({ calls, baseCalls, credits, creditsByKey }: Use): Use {
  const byKey = creditsByKey.map(([apiKey, spent]) => [apiKey, spent] as const);
  return { calls, baseCalls, credits, creditsByKey: byKey };
}

function copyOfRhythm(known: WindowRhythm): WindowRhythm {
  const { window, tuesday, base, repeats, repeatCalls, first, card } = known;
  return {
    window,
    tuesday,
    base,
    repeats: [...repeats],
    repeatCalls: [...repeatCalls],
    first,
    card,
  };
}

function copyOfGrant(grant: Grant): Grant {
  const { ordinal, id, kind, credits, left, priority, expiresAt, grantedAt, worth } = grant;
  return worth === undefined
    ? { ordinal, id, kind, credits, left, priority, expiresAt, grantedAt }
    : { ordinal, id, kind, credits, left, priority, expiresAt, grantedAt, worth };
}

/**
 * The same state in objects of its own, as far as `applyCall` changes any. Each is written member
 * by member: of an object that was spread, V8 makes a new number for each sum that is changed.
 */
export function ownState(state: AccountState): AccountState {
  const { granted, adjusted, charged, expired, voided, billed } = state.totals;
  return stateWith(state, {
    version: state.version,
    lastAt: state.lastAt,
    balance: state.balance,
    totals: { granted, adjusted, charged, expired, voided, billed },
    grants: state.grants.map(copyOfGrant),
    monthSince: state.monthSince,
    monthUse: copyOfUse(state.monthUse),
    window: state.window,
    windowUse: copyOfUse(state.windowUse),
    rhythm: state.rhythm.map(copyOfRhythm),
    otherRhythm: state.otherRhythm,
    products: state.products,
    holds: state.holds,
    pins: state.pins,
    pinnedCards: state.pinnedCards,
    opened: state.opened,
  });
}

function usedBefore({ creditsByKey }: Use, apiKey: number): boolean {
  for (const [ordinal] of creditsByKey) if (ordinal === apiKey) return true;
  return false;
}

function goesOn(
  [newest]: readonly WindowRhythm[],
  { window, card }: CallMade,
  now: string,
): boolean {
  return window !== undefined || (newest?.window === now && newest.card === card);
}

/** Whether a call of the index changes sums and the set of keys alone. Nearly every call does. */
export function changesSumsAlone(state: AccountState, data: CallMade): boolean {
  const window = windowOfCall(data);
  const [draw, another] = data.draws;
  const [first] = state.grants;
  // A grant of which nothing is left is dropped.
  const isDrawn = draw === undefined || (draw[0] === first?.ordinal && draw[1] < first.left);
  return (
    isDrawn &&
    another === undefined &&
    data.hold === undefined &&
    state.testClock === null &&
    state.monthSince !== null &&
    state.window === window &&
    goesOn(state.rhythm, data, window) &&
    usedBefore(state.monthUse, data.api_key) &&
    usedBefore(state.windowUse, data.api_key) &&
    isIndexKey(data.key)
  );
}

/**
 * The same as `evolve`, where the state stands, of a call that changes sums alone. The state comes
 * from `ownState`, and has changed in this way only since.
 */
export function applyCall(state: AccountState, { data, at }: CallEvent): BeforeCall {
  const { lastAt, opened, rhythm } = state;
  const own: Mutable<AccountState> = state;
  addCall(own, data, at, 1);
  if (at > lastAt) own.lastAt = at;
  if (data.kind === 'base') {
    own.opened = opened.plus(data.key);
    own.rhythm = rhythmAfter(rhythm, windowOfCall(data), data, at);
  }
  return { lastAt, opened, rhythm };
}

/** Takes back the last call that was applied. */
export function undoCall(state: AccountState, { data, at }: CallEvent, before: BeforeCall): void {
  const own: Mutable<AccountState> = state;
  addCall(own, data, at, -1);
  own.lastAt = before.lastAt;
  own.opened = before.opened;
  own.rhythm = before.rhythm;
}

function addCall(own: Mutable<AccountState>, data: CallMade, at: number, sign: 1 | -1): void {
  const credits = sign * (data.cost[0] + data.cost[1]);
  own.version += sign;
  own.balance -= credits;
  const totals: Mutable<AccountState['totals']> = own.totals;
  totals.charged += credits;
  const [draw] = data.draws;
  const first: Mutable<Grant> | undefined = own.grants[0];
  if (draw !== undefined && first !== undefined) first.left -= sign * draw[1];
  addUse(own.monthUse, data, sign, credits);
  addUse(own.windowUse, data, sign, credits);
  const [newest] = own.rhythm;
  if (data.kind === 'base' || data.window !== undefined || newest === undefined) return;
  const repeats = newest.repeats as number[];
  const repeatCalls = newest.repeatCalls as number[];
  const day = dayIn(newest.tuesday, at);
  repeats[day] = (repeats[day] ?? 0) + credits;
  repeatCalls[day] = (repeatCalls[day] ?? 0) + sign;
}

function addUse(use: Mutable<Use>, data: CallMade, sign: 1 | -1, credits: number): void {
  use.calls += sign;
  use.credits += credits;
  if (data.kind === 'base') use.baseCalls += sign;
  for (const spent of use.creditsByKey as [apiKey: number, credits: number][]) {
    if (spent[0] === data.api_key) spent[1] += credits;
  }
}
