import type { Calendar } from '#calendar/calendar.js';
import type { CreditNoteRecord } from './billing-events.js';
import { creditsPage } from './credits.js';
import { commanded, type EventsOf, originOf } from './event-type.js';
import { afterDraws, debtOf, drawsFor, withGrant } from './grants.js';
import { CREDITS_MAX, creditsToTake } from './limits.js';
import { conflict, type Refusal } from './refusal.js';
import type { AccountState } from './state.js';
import type { Draw, Origin } from './terms.js';

/** Credits given back (positive) or taken (negative) by hand. */
export interface CreditsAdjusted extends Origin {
  readonly credits: number;
  readonly reason: string;
  /** The call that is corrected, at most once each. */
  readonly call_id: string | null;
  /** Positive: the ordinal under which the credits are kept, never expiring; else null. */
  readonly grant: number | null;
  readonly grant_id: string | null;
  readonly repaid: number;
  /** Negative: the grants it was taken from. */
  readonly draws: readonly Draw[];
  readonly balance: number;
}

export interface AdjustCredits {
  readonly command: 'adjust-credits';
  readonly origin: Origin & { readonly reason: string };
  /** Positive gives, negative takes. */
  readonly credits: number;
  /** The call that is given back, with what it was charged. */
  readonly call: {
    readonly callId: string;
    readonly charged: number;
    /** When it was made, ms since 1970, where its month must not be invoiced yet. */
    readonly at?: number;
  } | null;
  /** Id under which credits given are kept. */
  readonly grantId: string;
  /** Of a call that is given back whatever was invoiced: what else is recorded with it. */
  readonly billing?: {
    /** The account's `billing.version` that it was decided at. */
    readonly after: number;
    /** Takes back the part of the charge that was billed. */
    readonly note: CreditNoteRecord | null;
  };
}

/** Credits given back are kept like a grant that never expires, drawn after the priced ones. */
const ADJUSTMENT_PRIORITY = 100;

export function adjusted(
  state: AccountState,
  data: CreditsAdjusted,
  at: number,
): Partial<AccountState> {
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

/** An invoiced charge is corrected by its id, as far as it was billed by a credit note. */
function refuseInvoiced(
  { billing: { invoicedMonth, version } }: AccountState,
  { call, billing }: AdjustCredits,
  calendar: Calendar,
): Refusal | null {
  if (billing !== undefined) {
    return billing.after === version ? null : { reason: 'billing-moved', version };
  }
  if (call?.at === undefined || invoicedMonth === null) return null;
  const { label } = calendar.monthAt(call.at);
  if (label > invoicedMonth) return null;
  return conflict(`The call's month, ${label}, is invoiced: give the call itself back.`);
}

function refuseAdjustment(state: AccountState, command: AdjustCredits): Refusal | null {
  const { credits, call } = command;
  const room = CREDITS_MAX - Math.max(0, state.balance);
  if (credits > 0 && credits > room) {
    return conflict(`An account holds at most ${CREDITS_MAX} credits: ${room} more fit.`);
  }
  if (Math.abs(state.totals.adjusted + credits) > CREDITS_MAX) {
    const { adjusted } = state.totals;
    return conflict(
      `All adjustments of an account add up to at most ${CREDITS_MAX} credits; so far to ${adjusted}.`,
    );
  }
  if (call !== null && (credits < 0 || credits > call.charged)) {
    return conflict(
      `Of a call 1 credit to at most its charge, ${call.charged} credits, can be given back.`,
    );
  }
  const available = creditsToTake(state);
  if (credits < 0 && -credits > available) {
    return conflict(`At most ${Math.max(0, available)} credits can be taken.`);
  }
  return null;
}

export function adjustCredits(
  state: AccountState,
  command: AdjustCredits,
  at: number,
  calendar: Calendar,
): AdjustmentEvent | Refusal {
  const refusal = refuseAdjustment(state, command) ?? refuseInvoiced(state, command, calendar);
  if (refusal !== null) return refusal;
  const { credits, call, origin } = command;
  const gives = credits > 0;
  return {
    type: 'Adjusted',
    at,
    data: {
      ...origin,
      credits,
      call_id: call?.callId ?? null,
      grant: gives ? state.lastGrant + 1 : null,
      grant_id: gives ? command.grantId : null,
      repaid: gives ? Math.min(credits, debtOf(state.balance)) : 0,
      draws: gives ? [] : drawsFor(state.grants, -credits),
      balance: state.balance + credits,
    },
  };
}

/** The charge of the call is recorded elsewhere: it is assumed to be enough here. */
export function adjusting(data: CreditsAdjusted): AdjustCredits {
  const { credits, reason, call_id: callId, grant_id: grantId } = data;
  return {
    command: 'adjust-credits',
    origin: { ...originOf(data), reason },
    credits,
    call: callId === null ? null : { callId, charged: credits },
    grantId: grantId ?? '',
  };
}

/** Corrections by hand, and calls that are given back. */
export const ADJUSTMENT_EVENTS = {
  Adjusted: commanded<CreditsAdjusted>({
    effect: adjusted,
    command: adjusting,
    page: creditsPage,
    story: {
      title: 'Adjusted',
      details: (data, { credits, text }) => `${credits(data.credits)}: ${text(data.reason)}`,
      tone: 'warn',
    },
  }),
};

export type AdjustmentEvent = EventsOf<typeof ADJUSTMENT_EVENTS>;
