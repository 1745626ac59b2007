import type { Calendar } from '#calendar/calendar.js';
import { formatInstant } from '#calendar/instant.js';
import type { AdjustCredits, GrantCredits, VoidGrant } from './commands.js';
import type { AccountEvent, GrantVoided } from './events.js';
import { debtOf, drawsFor } from './grants.js';
import { CREDITS_MAX, creditsToTake } from './limits.js';
import { creditsLeft } from './months.js';
import { conflict, type Refusal } from './refusal.js';
import type { AccountState, Grant } from './state.js';
import { worthOf } from './worth.js';

export function grantCredits(
  state: AccountState,
  command: GrantCredits,
  at: number,
): AccountEvent | Refusal {
  const { credits, kind, price, priority, profile, expiresAt } = command;
  if (expiresAt !== null && expiresAt <= at) {
    return conflict('expires_at must lie in the future of the account.');
  }
  const left = creditsLeft(state);
  if (credits > left) {
    return conflict(
      `All that an account was ever granted adds up to at most ${CREDITS_MAX} credits, also ` +
        `where they are used: ${left} more can be granted.`,
    );
  }
  return {
    type: 'CreditsGranted',
    at,
    data: {
      ...command.origin,
      grant: state.lastGrant + 1,
      grant_id: command.grantId,
      credits,
      kind,
      price,
      expires_at: expiresAt === null ? null : formatInstant(expiresAt),
      priority,
      profile,
      repaid: Math.min(credits, debtOf(state.balance)),
      balance: state.balance + credits,
      ...(price !== null && state.billing.purchases === undefined && { invoiced: 'at_once' }),
    },
  };
}

/** The refund of a purchase for its unused credits, net, and how it is given. */
export function refundOf(
  { billing }: AccountState,
  { id, left, worth }: Grant,
  { refund, refundMost = Number.MAX_SAFE_INTEGER }: Pick<VoidGrant, 'refund' | 'refundMost'>,
): Pick<GrantVoided, 'refund' | 'refund_by'> {
  if (!refund || worth === undefined) return {};
  const value = worthOf(worth, left);
  const unbilled = billing.unbilled.find(({ grantId }) => grantId === id);
  if (unbilled !== undefined) {
    const isUnused = left === unbilled.credits;
    return { refund: value, refund_by: isUnused ? 'no_invoice' : 'lower_invoice' };
  }
  const most = Math.min(value, refundMost);
  return most > 0 ? { refund: most, refund_by: 'credit_note' } : {};
}

export function voidGrant(
  state: AccountState,
  command: VoidGrant,
  at: number,
): AccountEvent | Refusal | null {
  const { origin, grantId, wasGiven } = command;
  const grant = state.grants.find(({ id }) => id === grantId);
  if (grant === undefined) {
    return wasGiven ? null : { reason: 'not-found', detail: 'The account has no such grant.' };
  }
  const { ordinal, left: credits } = grant;
  const gone = { grant: ordinal, grant_id: grantId, credits, left: 0 };
  const balance = state.balance - credits;
  const data = { ...origin, ...gone, balance, ...refundOf(state, grant, command) };
  return { type: 'GrantVoided', at, data };
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
  return conflict(`The call's month, ${label}, is invoiced: it is given back by its id.`);
}

function refuseAdjustment(state: AccountState, command: AdjustCredits): Refusal | null {
  const { credits, call } = command;
  if (credits > 0 && credits > CREDITS_MAX - Math.max(0, state.balance)) {
    return conflict(`An account holds at most ${CREDITS_MAX} credits.`);
  }
  if (Math.abs(state.totals.adjusted + credits) > CREDITS_MAX) {
    return conflict(`All adjustments of an account add up to at most ${CREDITS_MAX} credits.`);
  }
  if (call !== null && (credits < 0 || credits > call.charged)) {
    return conflict(`A call is given back with 1 to its charge of ${call.charged} credits.`);
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
): AccountEvent | Refusal {
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
