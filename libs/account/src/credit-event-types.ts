import type { BalanceLow } from './budget-events.js';
import type { AdjustCredits, GrantCredits } from './commands.js';
import { commanded, due, instant, originOf, type Writer } from './event-type.js';
import type { Adjusted, CreditsGranted, GrantExpired, GrantVoided } from './events.js';
import { adjusted, expired, granted, voided } from './evolve-credits.js';

const page = {
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
    page,
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
    page,
    story: { title: 'Credits granted', details: grantedWords, tone: 'good' },
  }),
  GrantExpired: due<GrantExpired, 'grant.expired'>({
    effect: expired,
    notification: {
      type: 'grant.expired',
      data: ({ grant_id, credits, balance }) => ({ grant_id, credits, balance }),
    },
    page,
    story: {
      title: 'Grant expired',
      details: (data, { credits }) => `${credits(data.credits)} were left`,
      tone: 'warn',
    },
  }),
  /** A command's, but for credits that go with a credit note, which are due. */
  GrantVoided: commanded<GrantVoided>({
    effect: voided,
    command: (data) => ({
      command: 'void-grant',
      origin: originOf(data),
      grantId: data.grant_id,
      wasGiven: true,
      refund: data.refund !== undefined,
      refundMost: data.refund,
    }),
    page,
    story: {
      title: 'Grant voided',
      details: (data, { credits }) => `${credits(data.credits)} taken back`,
      tone: 'warn',
    },
  }),
  Adjusted: commanded<Adjusted>({
    effect: adjusted,
    command: adjusting,
    page,
    story: {
      title: 'Adjusted',
      details: (data, { credits, text }) => `${credits(data.credits)}: ${text(data.reason)}`,
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

/** The charge of the call is recorded elsewhere: it is assumed to be enough here. */
function adjusting(data: Adjusted): AdjustCredits {
  const { credits, reason, call_id: callId, grant_id: grantId } = data;
  return {
    command: 'adjust-credits',
    origin: { ...originOf(data), reason },
    credits,
    call: callId === null ? null : { callId, charged: credits },
    grantId: grantId ?? '',
  };
}

function grantedWords(data: Partial<CreditsGranted>, write: Writer): string {
  const { credits, kind, price = null, expires_at: end = null } = data;
  const paid = price === null ? '' : ` for ${write.money(price)}`;
  const until = end === null ? '' : `, until ${write.moment(end)}`;
  return `${write.credits(credits)} ${write.text(kind)}${paid}${until}`;
}
