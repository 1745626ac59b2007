import { tuesdayOfWeek, weekOfLabel } from '#calendar/window-label.js';
import { isIndexKey, isKeyOf, productOfKey, windowOfKey } from '#rating/key-parts.js';
import { pricedPath } from '#rating/priced-path.js';
import { type EventOf, ofCall } from './event-type.js';
import { afterDraws } from './grants.js';
import { withoutHold } from './open-holds.js';
import { OpenedKeys } from './opened-keys.js';
import {
  type AccountState,
  type FirstCalls,
  NO_USE,
  type Use,
  type WindowRhythm,
} from './state.js';
import type { CallKind, Draw, Units } from './terms.js';

const DAY_MS = 86_400_000;

/** Days of a window, from its Tuesday on. */
export const WINDOW_DAYS = 7;

/** The window that was called in last, and four before it. */
const WINDOWS_MAX = 5;

/** Sums of a window that are kept by category; later ones leave the category out. */
const SUMS_MAX = 512;

const NO_DAYS: readonly number[] = Array.from({ length: WINDOW_DAYS }, () => 0);

/**
 * The day of a moment in a window, 0 to 6. Days are those of UTC here: the billing zone is unknown
 * where events are applied, and a few hours do not matter to a forecast.
 */
export function dayIn(tuesday: number, at: number): number {
  return Math.min(WINDOW_DAYS - 1, Math.max(0, Math.floor((at - tuesday) / DAY_MS)));
}

function added(days: readonly number[], day: number, credits: number): readonly number[] {
  return days.with(day, (days[day] ?? 0) + credits);
}

function summed(first: readonly FirstCalls[], { key, rows }: CallMade): readonly FirstCalls[] {
  const indexOf = (path: string): number => first.findIndex((sum) => sum.path === path);
  let path = pricedPath(key);
  let index = indexOf(path);
  if (index < 0 && first.length >= SUMS_MAX) {
    path = pricedPath(key, true);
    index = indexOf(path);
  }
  const known = first[index];
  if (known === undefined) return [...first, { path, calls: 1, rows }];
  return first.with(index, { path, calls: known.calls + 1, rows: known.rows + rows });
}

function begun(window: string): Omit<WindowRhythm, 'card'> {
  const tuesday = tuesdayOfWeek(weekOfLabel(window) ?? 0) * DAY_MS;
  return { window, tuesday, base: NO_DAYS, repeats: NO_DAYS, repeatCalls: NO_DAYS, first: [] };
}

/**
 * The rhythm, newest window first, after one more call in a window (its label). What names the data
 * of a past week is asked for once, and no part of it. First calls are summed for other prices of
 * the index alone: a forecast of any other product keeps the prices of its calls.
 */
export function rhythmAfter(
  rhythm: readonly WindowRhythm[],
  window: string,
  call: CallMade,
  at: number,
): readonly WindowRhythm[] {
  if (call.window !== undefined) return rhythm;
  const [newest] = rhythm;
  const isNew = newest?.window !== window;
  const before = isNew ? begun(window) : newest;
  const { tuesday, base, repeats, repeatCalls, first } = before;
  const credits = call.cost[0] + call.cost[1];
  const day = dayIn(tuesday, at);
  const isBase = call.kind === 'base';
  const after: WindowRhythm = {
    window,
    tuesday,
    base: isBase ? added(base, day, credits) : base,
    repeats: isBase ? repeats : added(repeats, day, credits),
    repeatCalls: isBase ? repeatCalls : added(repeatCalls, day, 1),
    first: isBase && isIndexKey(call.key) ? summed(first, call) : first,
    card: isNew || newest.card === call.card ? call.card : null,
  };
  return isNew ? [after, ...rhythm.slice(0, WINDOWS_MAX - 1)] : rhythm.with(0, after);
}

/** A call as the log holds it. */
export type CallEvent = EventOf<'CallMade', CallMade>;

export interface CallMade {
  readonly key: string;
  /** The path as sent, in the form of `askedForm`; absent when `latest` was asked for. */
  readonly asked?: string | undefined;
  /** Label of the running window; absent when it is the label in the key (`windowOfCall`). */
  readonly window?: string | undefined;
  readonly release: string;
  /** Ordinal of the API key. */
  readonly api_key: number;
  readonly rows: number;
  readonly kind: CallKind;
  /** Credits: call cost, data cost. */
  readonly cost: readonly [number, number];
  /** Version of the rate card. */
  readonly card: number;
  readonly rule: string;
  readonly draws: readonly Draw[];
  /** After the call. What no grant covered stands in it as debt. */
  readonly balance: number;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** Id of the HTTP request; absent where no other may ask for the same call. */
  readonly request?: string | undefined;
  /** Counts that it was priced by, by their names; absent: its rows. */
  readonly units?: Units | undefined;
  /** Id of the hold that the call settles. */
  readonly hold?: string | undefined;
  /** Credits of the price that a settlement could not charge. */
  readonly waived?: number | undefined;
  /** The hold had expired: the call was decided without it. */
  readonly late?: true | undefined;
}

// These names are the stored format: members may be added, never renamed or removed.

/**
 * A call under an idempotency key was answered to another request than the one that made it. From
 * then on its charge stands: somebody may have been given what was paid for.
 */
export interface CallReplayed {
  readonly call_id: string;
}

/** Records that a call is answered to another request than the one that made it. */
export interface ReplayCall {
  readonly command: 'replay-call';
  readonly callId: string;
}

/** Label of the window in which a call was made. */
export function windowOfCall({ key, window }: CallMade): string {
  return window ?? windowOfKey(key);
}

/** Credits of a call that no grant has covered: they became a debt, which a plan's month bills. */
export function uncoveredOf({ cost, draws }: Pick<CallMade, 'cost' | 'draws'>): number {
  return cost[0] + cost[1] - draws.reduce((sum, [, credits]) => sum + credits, 0);
}

/** At a rollover the keys of the window that ended are dropped: a set for the new one. */
function openedIn(state: AccountState, window: string): OpenedKeys {
  if (state.window === window) return state.opened;
  return OpenedKeys.of([...state.opened].filter((key) => isKeyOf(key, window)));
}

/** Under which name a test account pins the release or the rate card of a key's product. */
export function pinName(key: string, window: string): string {
  return isIndexKey(key) ? window : `${productOfKey(key)} ${window}`;
}

/** The products beside the index of which keys were opened, after one more. */
function openedProducts({ products }: AccountState, key: string): AccountState['products'] {
  if (isIndexKey(key)) return products;
  const product = productOfKey(key);
  if (products === undefined) return [product];
  return products.includes(product) ? products : [...products, product];
}

/** Fixes a value for a label: the first one stays. */
function pinned<Value>(
  pins: Readonly<Record<string, Value>>,
  label: string,
  value: Value,
): Readonly<Record<string, Value>> {
  return Object.hasOwn(pins, label) ? pins : { ...pins, [label]: value };
}

function usedBy(use: Use, apiKey: number, isBase: boolean, credits: number): Use {
  const { creditsByKey } = use;
  const index = creditsByKey.findIndex(([ordinal]) => ordinal === apiKey);
  const before = creditsByKey[index];
  return {
    calls: use.calls + 1,
    baseCalls: isBase ? use.baseCalls + 1 : use.baseCalls,
    credits: use.credits + credits,
    creditsByKey:
      before === undefined
        ? [...creditsByKey, [apiKey, credits]]
        : creditsByKey.with(index, [apiKey, before[1] + credits]),
  };
}

/** Every member has to be named, also one that a state may lack. */
type EachMember<State> = { readonly [Member in keyof Required<State>]: State[Member] };

/** Members that a call may change. */
type OfCalls = Pick<
  AccountState,
  | 'version'
  | 'lastAt'
  | 'balance'
  | 'totals'
  | 'grants'
  | 'monthSince'
  | 'monthUse'
  | 'window'
  | 'windowUse'
  | 'rhythm'
  | 'otherRhythm'
  | 'products'
  | 'holds'
  | 'pins'
  | 'pinnedCards'
  | 'opened'
>;

/**
 * A state with these members. Made in one piece and member by member, in the order of the initial
 * state: this is what happens tens of thousands of times a second, and a spread of so many members
 * takes four times as long.
 */
export function stateWith(state: AccountState, of: OfCalls): EachMember<AccountState> {
  return {
    version: of.version,
    lastAt: of.lastAt,
    openedAt: state.openedAt,
    suspended: state.suspended,
    closedAt: state.closedAt,
    erasedAt: state.erasedAt,
    currency: state.currency,
    overdraft: state.overdraft,
    test: state.test,
    testClock: state.testClock,
    rateLimit: state.rateLimit,
    receipts: state.receipts,
    lowBalance: state.lowBalance,
    toldLow: state.toldLow,
    rateCard: state.rateCard,
    rateCards: state.rateCards,
    plan: state.plan,
    nextPlan: state.nextPlan,
    beforePlan: state.beforePlan,
    includedDue: state.includedDue,
    profile: state.profile,
    balance: of.balance,
    totals: of.totals,
    grants: of.grants,
    lastGrant: state.lastGrant,
    apiKeys: state.apiKeys,
    lastApiKey: state.lastApiKey,
    monthSince: of.monthSince,
    lastClose: state.lastClose,
    monthUse: of.monthUse,
    window: of.window,
    windowUse: of.windowUse,
    rhythm: of.rhythm,
    otherRhythm: of.otherRhythm,
    products: of.products,
    budgets: state.budgets,
    billing: state.billing,
    disputes: state.disputes,
    order: state.order,
    holds: of.holds,
    pins: of.pins,
    pinnedCards: of.pinnedCards,
    opened: of.opened,
  };
}

/** A settlement ends its hold, unless that had expired. */
function holdsAfter({ holds }: AccountState, { hold, late }: CallMade): AccountState['holds'] {
  return hold === undefined || late === true ? holds : withoutHold(holds, hold);
}

/** The state after a call (ms since 1970). */
export function afterCall(
  state: AccountState,
  data: CallMade,
  at: number,
): EachMember<AccountState> {
  const { totals, pins, pinnedCards, rhythm, otherRhythm, products } = state;
  const credits = data.cost[0] + data.cost[1];
  const isBase = data.kind === 'base';
  const isOfIndex = isIndexKey(data.key);
  const window = windowOfCall(data);
  const windowUse = window === state.window ? state.windowUse : NO_USE;
  const keys = openedIn(state, window);
  const isTimed = state.testClock !== null;
  const { granted, adjusted, charged, expired, voided, billed } = totals;
  return stateWith(state, {
    version: state.version + 1,
    lastAt: Math.max(state.lastAt, at),
    balance: state.balance - credits,
    totals: { granted, adjusted, charged: charged + credits, expired, voided, billed },
    grants: afterDraws(state.grants, data.draws),
    monthSince: state.monthSince ?? at,
    monthUse: usedBy(state.monthUse, data.api_key, isBase, credits),
    window,
    windowUse: usedBy(windowUse, data.api_key, isBase, credits),
    rhythm: isOfIndex ? rhythmAfter(rhythm, window, data, at) : rhythm,
    otherRhythm: isOfIndex ? otherRhythm : rhythmAfter(otherRhythm ?? [], window, data, at),
    holds: holdsAfter(state, data),
    products: isBase ? openedProducts(state, data.key) : products,
    pins: isTimed ? pinned(pins, pinName(data.key, windowOfKey(data.key)), data.release) : pins,
    pinnedCards: isTimed ? pinned(pinnedCards, pinName(data.key, window), data.card) : pinnedCards,
    opened: isBase ? keys.plus(data.key) : keys,
  });
}

/** Events of calls. */
export const CALL_EVENTS = {
  /** The customer's pages see the call itself: its message needs more than the event holds. */
  CallMade: ofCall<CallMade>({
    effect: afterCall,
    story: { title: 'Call made' },
  }),
  CallReplayed: ofCall<CallReplayed>({
    opensMonth: false,
    effect: () => ({}),
    command: ({ call_id: callId }): ReplayCall => ({ command: 'replay-call', callId }),
    story: {
      title: 'Call answered again',
      details: ({ call_id: callId }, { text }) => `call ${text(callId)}`,
    },
  }),
};
