import { formatInstant } from '#calendar/instant.js';
import type { ChargeRequest } from './charging.js';
import { assessCall, type Price, refuseCaller, refusePrice, type Terms } from './decide-call.js';
import { due, type EventsOf, ofCall } from './event-type.js';
import { type Hold, openHold, withHold, withoutHold } from './open-holds.js';
import { conflict, type Refusal } from './refusal.js';
import type { AccountState } from './state.js';
import type { Origin, OverHold, Units } from './terms.js';

/** Most open holds of an account: its state keeps them. */
export const HOLDS_MAX = 1_000;

// These names are the stored format: types and members may be added, never renamed or removed.

/** Credits were kept back for a call whose price is known once its work is done. */
export interface HoldPlaced {
  /** Id of the hold: of account and attempt. */
  readonly hold: string;
  readonly key: string;
  /** Id of the call that a settlement makes. */
  readonly call: string;
  /** Ordinal of the API key. */
  readonly api_key: number;
  readonly credits: number;
  /** Rows of the answer at most; absent where units were given, or the credits themselves. */
  readonly rows?: number | undefined;
  /** Units at most. */
  readonly units?: Units | undefined;
  /** Version of the rate card that will price the call. */
  readonly card: number;
  /** Absent: at most what is held is charged. */
  readonly over?: 'extend' | undefined;
  /** Most credits that a settlement may charge; absent: no ceiling beside funds and budgets. */
  readonly max?: number | undefined;
  readonly expires_at: string;
  /** Credits of all open holds after this one. */
  readonly held: number;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** Id of the HTTP request. */
  readonly request?: string | undefined;
  /** Digest of the request, where another with the same key would be refused. */
  readonly fingerprint?: string | undefined;
}

export type ReleaseCause = 'caller' | 'operator' | 'closed';

/** A hold was given up: nothing is charged. */
export interface HoldReleased extends Partial<Origin> {
  readonly hold: string;
  readonly credits: number;
  /** Credits of all open holds afterwards. */
  readonly held: number;
  readonly cause: ReleaseCause;
  /** HTTP status of the answer that it was placed for, where that is known. */
  readonly status?: number | undefined;
}

/** The time of a hold was over. */
export interface HoldExpired {
  readonly hold: string;
  readonly credits: number;
  /** Credits of all open holds afterwards. */
  readonly held: number;
}

/** Keeps credits back for a call. */
export interface PlaceHold {
  readonly command: 'place-hold';
  readonly hold: string;
  /** The call as it would be charged at once, with the rows or units that it has at most. */
  readonly request: ChargeRequest;
  /** Null: as many as the call costs at most. */
  readonly credits: number | null;
  readonly over: OverHold;
  /** Of an extended one: most credits that a settlement may charge. */
  readonly max: number | null;
  /** Milliseconds from the placement on. */
  readonly expiresIn: number;
  readonly fingerprint?: string | undefined;
}

/** Gives a hold up. */
export interface ReleaseHold {
  readonly command: 'release-hold';
  readonly hold: string;
  readonly cause: ReleaseCause;
  readonly status?: number | undefined;
  /** Of a release by hand. */
  readonly by?: Origin | undefined;
}

/** Refuses another end of a hold. */
export const CLOSED: Refusal = { reason: 'hold-closed' };

/** Refuses a placement before it has a price, or finds that it was placed already. */
function refusePlacement(state: AccountState, command: PlaceHold, at: number): Refusal | null {
  const { request, credits, max } = command;
  const open = state.holds?.open ?? [];
  const { callId } = request;
  if (open.some((hold) => hold.callId === callId)) return { reason: 'hold-in-progress', callId };
  if (open.length >= HOLDS_MAX) return { reason: 'hold-limit', limit: HOLDS_MAX };
  if (max !== null && credits !== null && max < credits) {
    return conflict(`max_credits is ${max}, but ${credits} are held: raise it to at least that.`);
  }
  return refuseCaller(state, request.apiKey, at);
}

/**
 * Decides a placement: its event, why not, or null where this very hold is open already. It is
 * priced as a first call unless its key is opened, and never draws on a grant.
 */
export function placeHold(
  state: AccountState,
  command: PlaceHold,
  at: number,
  terms: Terms,
): HoldEvent | Refusal | null {
  if (openHold(state.holds, command.hold) !== undefined) return null;
  const { request, over, max, fingerprint } = command;
  const refusal = refusePlacement(state, command, at);
  if (refusal !== null) return refusal;
  const assessed = assessCall(state, { ...request, maxCredits: null }, at, terms);
  if ('unpriced' in assessed) return assessed.unpriced;
  const price = heldPrice(assessed.price, command.credits);
  const { apiKey, units } = request;
  const maxCredits = request.maxCredits ?? max;
  const tooDear = refusePrice(state, price, apiKey, maxCredits, at, terms.calendar);
  if (tooDear !== null) return tooDear;
  const credits = price.cost[0] + price.cost[1];
  const data: HoldPlaced = {
    hold: command.hold,
    key: request.key,
    call: request.callId,
    api_key: apiKey,
    credits,
    rows: command.credits === null && units === undefined ? request.rows : undefined,
    units: command.credits === null ? units : undefined,
    card: price.card,
    over: over === 'extend' ? over : undefined,
    max: max ?? undefined,
    expires_at: formatInstant(at + command.expiresIn),
    held: (state.holds?.credits ?? 0) + credits,
    tags: request.tags ?? undefined,
    request: request.requestId,
    fingerprint,
  };
  return { type: 'HoldPlaced', at, data };
}

function heldPrice(price: Price, credits: number | null): Price {
  return credits === null ? price : { ...price, cost: [credits, 0] };
}

/** Gives up an open hold. A hold that has ended is not given up: whoever asks looks for its end. */
export function releaseHold(
  state: AccountState,
  { hold: id, cause, status, by }: ReleaseHold,
  at: number,
): HoldEvent | Refusal {
  const hold = openHold(state.holds, id);
  if (hold === undefined) return CLOSED;
  return released(state, hold, { cause, status, ...by }, at);
}

function released(
  { holds }: AccountState,
  { id: hold, credits }: Hold,
  why: Omit<HoldReleased, 'hold' | 'credits' | 'held'>,
  at: number,
): HoldEvent {
  const held = (holds?.credits ?? 0) - credits;
  return { type: 'HoldReleased', at, data: { hold, credits, held, ...why } };
}

/** The releases of all open holds, the earliest expiry first: an account is about to be closed. */
export function releaseAll(state: AccountState, at: number): HoldEvent[] {
  const events: HoldEvent[] = [];
  let { holds } = state;
  for (const hold of state.holds?.open ?? []) {
    events.push(released({ ...state, holds }, hold, { cause: 'closed' }, at));
    holds = withoutHold(holds, hold.id);
  }
  return events;
}

/** The expiry of the hold that expires first. */
export function holdExpired({ holds }: AccountState, { id, ...hold }: Hold): HoldEvent {
  const { credits, expiresAt: at } = hold;
  const held = (holds?.credits ?? 0) - credits;
  return { type: 'HoldExpired', at, data: { hold: id, credits, held } };
}

/** A hold as its placement recorded it. */
export function placedHold(data: HoldPlaced): Hold {
  return {
    id: data.hold,
    callId: data.call,
    key: data.key,
    apiKey: data.api_key,
    credits: data.credits,
    card: data.card,
    over: data.over ?? 'cap',
    max: data.max ?? null,
    expiresAt: Date.parse(data.expires_at),
    tags: data.tags,
    request: data.request,
  };
}

const page = { kind: 'holds' };

/** Events of holds; a settlement is a `CallMade`. */
export const HOLD_EVENTS = {
  HoldPlaced: ofCall<HoldPlaced>({
    opensMonth: false,
    effect: ({ holds }, data) => ({ holds: withHold(holds, placedHold(data)) }),
    page,
    story: {
      title: 'Credits held',
      details: ({ credits }, write) => write.credits(credits),
    },
  }),
  HoldReleased: ofCall<HoldReleased>({
    opensMonth: false,
    effect: ({ holds }, { hold }) => ({ holds: withoutHold(holds, hold) }),
    command: ({ hold, cause, status, ...by }): ReleaseHold => ({
      command: 'release-hold',
      hold,
      cause,
      status,
      by: originIn(by),
    }),
    page,
    story: {
      title: 'Hold released',
      details: ({ credits }, write) => write.credits(credits),
    },
  }),
  HoldExpired: due<HoldExpired, 'hold.expired'>({
    opensMonth: false,
    effect: ({ holds }, { hold }) => ({ holds: withoutHold(holds, hold) }),
    notification: {
      type: 'hold.expired',
      data: ({ hold, credits, held }) => ({ hold_id: hold, credits, held_credits: held }),
    },
    page,
    story: {
      title: 'Hold expired',
      details: ({ credits }, write) => write.credits(credits),
      tone: 'warn',
    },
  }),
};

/** Who released a hold by hand; undefined: its caller did. */
function originIn({ by, request, input, reason }: Partial<Origin>): Origin | undefined {
  if (by === undefined || request === undefined || input === undefined) return undefined;
  return { by, request, input, ...(reason !== undefined && { reason }) };
}

export type HoldEvent = EventsOf<typeof HOLD_EVENTS>;
