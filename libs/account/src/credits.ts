import { formatInstant } from '#calendar/instant.js';
import { commanded, due, instant, originOf, type Writer, type EventsOf } from './event-type.js';
import { afterDraws, debtOf, withGrant } from './grants.js';
import { CREDITS_MAX, creditsLeft } from './limits.js';
import { conflict, endsBefore, type Refusal } from './refusal.js';
import { worthAfter, worthOf } from './rounding.js';
import type { AccountState, Billing, Grant } from './state.js';
import type { GrantKind, Origin, ProfileReference, RefundBy, Totals } from './terms.js';

export interface CreditsGranted extends Origin {
  /** Ordinal in the account, shared with credits given by adjustments: 1, 2, 3, … */
  readonly grant: number;
  readonly grant_id: string;
  readonly credits: number;
  readonly kind: GrantKind;
  /** Net, in minor units of the account's currency; purchased grants only. */
  readonly price: number | null;
  readonly expires_at: string | null;
  readonly priority: number;
  readonly profile: ProfileReference | null;
  /** The part that repaid a debt at once. */
  readonly repaid: number;
  readonly balance: number;
  /** The credit note that gave the price of these credits back, which are kept; else absent. */
  readonly credit_note_id?: string;
  /** Of a purchase: on an invoice of its own; absent: on its month's, as in older versions. */
  readonly invoiced?: 'at_once';
  /** Head of the account's chain (hex) before the event, if it is invoiced at once. */
  readonly account_head?: string;
}

/** The rest of a grant expires. */
export interface GrantExpired {
  readonly grant: number;
  readonly grant_id: string;
  readonly credits: number;
  readonly balance: number;
}

/** An operator takes back the rest of a grant, or a credit note takes a part of it with it. */
export interface GrantVoided extends Origin {
  readonly grant: number;
  readonly grant_id: string;
  readonly credits: number;
  readonly balance: number;
  /** Credits left of the grant: 0 but for a credit note. Absent in events of older versions. */
  readonly left?: number;
  /** Net, in minor units, that is given back; absent: nothing is, the credits are forfeited. */
  readonly refund?: number;
  /** Absent where a credit note took the credits with it. */
  readonly refund_by?: RefundBy;
  readonly credit_note_id?: string;
}

export interface GrantCredits {
  readonly command: 'grant-credits';
  readonly origin: Origin;
  readonly grantId: string;
  readonly credits: number;
  readonly kind: Exclude<GrantKind, 'included'>;
  readonly price: number | null;
  readonly expiresAt: number | null;
  readonly priority: number;
  readonly profile: ProfileReference | null;
}

/** Takes back what is left of a grant. */
export interface VoidGrant {
  readonly command: 'void-grant';
  readonly origin: Origin;
  readonly grantId: string;
  /** Whether the log holds that grant: one with nothing left of it is not in the state. */
  readonly wasGiven: boolean;
  /** False: what was paid for it is forfeited. */
  readonly refund: boolean;
  /** Most that can be given back, net; absent: what the credits are worth. */
  readonly refundMost?: number | undefined;
}

export function moved(
  state: AccountState,
  credits: number,
  total: keyof Totals,
): Partial<AccountState> {
  return {
    balance: state.balance + credits,
    totals: { ...state.totals, [total]: state.totals[total] + Math.abs(credits) },
  };
}

export function granted(
  state: AccountState,
  data: CreditsGranted,
  at: number,
): Partial<AccountState> {
  const grant = {
    ordinal: data.grant,
    id: data.grant_id,
    kind: data.kind,
    credits: data.credits,
    left: data.credits - data.repaid,
    priority: data.priority,
    expiresAt: data.expires_at === null ? null : Date.parse(data.expires_at),
    grantedAt: at,
    ...(data.price !== null && { worth: { amount: data.price, credits: data.credits } }),
  };
  return {
    ...moved(state, data.credits, 'granted'),
    grants: withGrant(state.grants, grant),
    billing: withPurchase(state, data, at),
    lastGrant: data.grant,
    includedDue: state.includedDue && data.kind !== 'included',
    order: state.order?.id === data.grant_id ? undefined : state.order,
  };
}

function taken(
  state: AccountState,
  data: GrantExpired | GrantVoided,
  total: 'expired' | 'voided',
): Partial<AccountState> {
  return {
    ...moved(state, -data.credits, total),
    grants: afterDraws(state.grants, [[data.grant, data.credits]]),
  };
}

export function expired(state: AccountState, data: GrantExpired): Partial<AccountState> {
  return taken(state, data, 'expired');
}

/** The grants, once a credit note has given a part of a purchase's value back. */
function revalued({ grants }: AccountState, data: GrantVoided): AccountState['grants'] {
  const { grant: ordinal, credits, left = 0, refund = 0 } = data;
  return grants.map((grant) => {
    if (grant.ordinal !== ordinal || grant.worth === undefined) return grant;
    return { ...grant, worth: worthAfter(grant.worth, left + credits, left, refund) };
  });
}

export function voided(state: AccountState, data: GrantVoided): Partial<AccountState> {
  const gone = taken(
    data.left ? { ...state, grants: revalued(state, data) } : state,
    data,
    'voided',
  );
  return { ...gone, billing: afterVoid(state, data) };
}

export function grantCredits(
  state: AccountState,
  command: GrantCredits,
  at: number,
): CreditEvent | Refusal {
  const { credits, kind, price, priority, profile, expiresAt } = command;
  if (expiresAt !== null && expiresAt <= at) {
    return endsBefore(at);
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
): CreditEvent | Refusal | null {
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

/** The message of a changed balance to the customer's pages. */
export const creditsPage = {
  kind: 'credits',
  data: ({ balance }: { readonly balance: number }) => ({ balance }),
};

/** Events that give and take credits, but for calls. */
export const CREDIT_EVENTS = {
  BalanceLow: due<BalanceLow, 'balance.low'>({
    namesCall: true,
    opensMonth: false,
    effect: () => ({ toldLow: true }),
    notification: {
      type: 'balance.low',
      data: ({ low_balance, balance, call_id }) => ({
        low_balance_credits: low_balance,
        balance,
        call_id,
      }),
    },
    page: creditsPage,
    story: {
      title: 'Balance low',
      details: ({ balance }, { number }) => `${number(balance)} left`,
      tone: 'bad',
    },
  }),
  /** A command's, but for a plan's included credits, which are due. */
  CreditsGranted: commanded<CreditsGranted>({
    effect: granted,
    command: granting,
    page: creditsPage,
    story: { title: 'Credits granted', details: grantedWords, tone: 'good' },
  }),
  GrantExpired: due<GrantExpired, 'grant.expired'>({
    effect: expired,
    notification: {
      type: 'grant.expired',
      data: ({ grant_id, credits, balance }) => ({ grant_id, credits, balance }),
    },
    page: creditsPage,
    story: {
      title: 'Grant expired',
      details: (data, { credits }) => `${credits(data.credits)} were left`,
      tone: 'warn',
    },
  }),
  /** A command's, but for credits that go with a credit note, which are due. */
  GrantVoided: commanded<GrantVoided>({
    effect: voided,
    command: (data): VoidGrant => ({
      command: 'void-grant',
      origin: originOf(data),
      grantId: data.grant_id,
      wasGiven: true,
      refund: data.refund !== undefined,
      refundMost: data.refund,
    }),
    page: creditsPage,
    story: {
      title: 'Grant voided',
      details: (data, { credits }) => `${credits(data.credits)} taken back`,
      tone: 'warn',
    },
  }),
};

function granting(data: CreditsGranted): GrantCredits {
  const { grant_id: grantId, credits, kind, price, priority, profile } = data;
  if (kind === 'included') throw new Error('Nobody asks for included credits.');
  const expiresAt = instant(data.expires_at);
  const grant = { grantId, credits, kind, price, expiresAt, priority, profile };
  return { command: 'grant-credits', origin: originOf(data), ...grant };
}

function grantedWords(data: Partial<CreditsGranted>, write: Writer): string {
  const { credits, kind, price = null, expires_at: end = null } = data;
  const paid = price === null ? '' : ` for ${write.money(price)}`;
  const until = end === null ? '' : `, until ${write.moment(end)}`;
  return `${write.credits(credits)} ${write.text(kind)}${paid}${until}`;
}

/** The balance has fallen below what the account calls low. */
export interface BalanceLow {
  readonly low_balance: number;
  readonly balance: number;
  /** The call that took it there; null where none did. */
  readonly call_id: string | null;
}

/** The account's billing with one more purchase to invoice, or one that a credit note left. */
export function withPurchase(
  { billing, version }: AccountState,
  { price, grant, grant_id: grantId, credits, invoiced, credit_note_id: noteId }: CreditsGranted,
  at: number,
): Billing {
  if (noteId !== undefined) return { ...billing, voids: billing.voids.slice(1) };
  if (price === null) return billing;
  const isMonthly = invoiced === undefined;
  const purchase = { grant, grantId, credits, amount: price, version: version + 1, at, isMonthly };
  return { ...billing, unbilled: [...billing.unbilled, purchase] };
}

/** The account's billing once a month is closed, whose invoice bills its purchases. */
export function withMonth({ billing }: AccountState, month: string): Billing {
  const unbilled = billing.unbilled.map((purchase) =>
    purchase.isMonthly ? { month, ...purchase } : purchase,
  );
  return { ...billing, unbilled };
}

/** The credits of the first purchase are taken back; what is kept of them is granted next. */
function afterCredited(
  [going, ...rest]: Billing['voids'],
  credits: number,
  grants: AccountState['grants'],
): Billing['voids'] {
  const grant = grants.find(({ id }) => id === going?.purchase[0]);
  if (going?.keptAs === undefined || grant === undefined || credits === 0) return rest;
  const { priority, expiresAt } = grant;
  return [{ ...going, kept: { credits, priority, expiresAt } }, ...rest];
}

/** The account's billing once what was paid for a grant is given back, or forfeited. */
export function afterVoid(
  { billing, grants }: AccountState,
  { grant_id: grantId, credits, refund = 0, refund_by: by, credit_note_id: noteId }: GrantVoided,
): Billing {
  const { unbilled, refunds, voids } = billing;
  if (noteId !== undefined) return { ...billing, voids: afterCredited(voids, credits, grants) };
  switch (by) {
    case undefined:
      return billing;
    case 'credit_note':
      return { ...billing, refunds: [...refunds, { grantId, amount: refund }] };
    case 'no_invoice':
      return { ...billing, unbilled: unbilled.filter((one) => one.grantId !== grantId) };
    case 'lower_invoice':
      return {
        ...billing,
        unbilled: unbilled.map((one) => {
          if (one.grantId !== grantId) return one;
          return { ...one, credits: one.credits - credits, amount: one.amount - refund };
        }),
      };
  }
}

export type CreditEvent = EventsOf<typeof CREDIT_EVENTS>;
