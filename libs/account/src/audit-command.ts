import type { AdjustCredits, ChangeAccount, Command, OpenAccount } from './commands.js';
import type { InvoiceRecord } from './billing-events.js';
import type { RateLimit, RecordBilling, SetBudget } from './commands.js';
import type { AccountEvent, Origin, RateLimitTerms } from './events.js';
import type { AccountState } from './state.js';

type EventOf<Type extends AccountEvent['type']> = Extract<AccountEvent, { type: Type }>;

/** Events that answer to a command other than a call. */
export type CommandedEvent = Exclude<
  AccountEvent,
  EventOf<
    | 'CallMade'
    | 'CallReplayed'
    | 'GrantExpired'
    | 'MonthClosed'
    | 'WindowClosed'
    | 'BalanceLow'
    | 'BudgetThresholdCrossed'
    | 'BudgetBlocked'
    | 'BudgetForecastExceeded'
  >
>;

function instant(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

function rateLimit(limit: RateLimitTerms | null): RateLimit | null {
  return limit && { perSecond: limit.per_second, burst: limit.burst };
}

function opening({ data }: EventOf<'AccountOpened'>, origin: Origin): OpenAccount {
  const { profile, currency, overdraft, test, plan = null } = data;
  return {
    command: 'open-account',
    origin,
    profile,
    currency,
    overdraft,
    test,
    testClock: instant(data.test_clock),
    rateLimit: rateLimit(data.rate_limit),
    lowBalance: data.low_balance,
    rateCard: data.rate_card,
    plan,
  };
}

function change({ data }: EventOf<'AccountChanged'>, origin: Origin): ChangeAccount {
  const { profile, overdraft, rate_limit: limit, plan } = data;
  const { low_balance: lowBalance, rate_card: rateCard } = data;
  return {
    command: 'change-account',
    origin,
    changes: {
      ...(profile !== undefined && { profile }),
      ...(overdraft !== undefined && { overdraft }),
      ...(limit !== undefined && { rateLimit: rateLimit(limit) }),
      ...(lowBalance !== undefined && { lowBalance }),
      ...(rateCard !== undefined && { rateCard }),
      ...(plan !== undefined && { plan }),
    },
  };
}

/** What the call was charged stands elsewhere: it is taken to be enough here. */
function adjustment({ data }: EventOf<'Adjusted'>, origin: Origin): AdjustCredits {
  const { credits, reason, call_id: callId, grant_id: grantId } = data;
  return {
    command: 'adjust-credits',
    origin: { ...origin, reason },
    credits,
    call: callId === null ? null : { callId, charged: credits },
    grantId: grantId ?? '',
  };
}

function budget(state: AccountState, { data }: EventOf<'BudgetSet'>, origin: Origin): SetBudget {
  const { budget_id: budgetId, period, limit, thresholds, action, notify } = data;
  const known = state.budgets.find(({ id }) => id === budgetId);
  const key = state.apiKeys.find(({ ordinal }) => ordinal === data.api_key);
  const knownId = known?.apiKey === data.api_key ? known.apiKeyId : null;
  // An ordinal that the account does not have becomes an id that it does not have.
  const apiKeyId = data.api_key === null ? null : (key?.id ?? knownId ?? '');
  const isNew = known === undefined;
  const set = { budgetId, isNew, apiKeyId, period, limit, thresholds, action, notify };
  return { command: 'set-budget', origin, ...set };
}

function detailsOf({ data: { profile, tax } }: EventOf<'BillingDetailsChanged'>) {
  return { profile, ...(tax !== undefined && { tax }) };
}

type InvoiceEvent = EventOf<
  'InvoiceSealed' | 'CreditNoteSealed' | 'PaymentRecorded' | 'InvoiceOverdue'
>;

/** What it was decided on is taken to be all that there was. */
function recorded(
  { billing }: AccountState,
  { type, data }: InvoiceEvent,
  origin: Origin,
): RecordBilling {
  const record = { type, data } as InvoiceRecord;
  return { command: 'record-billing', origin, after: billing.version, record };
}

/**
 * The command that an event answers to in the state before it, as far as the event tells: API keys that
 * the state does not hold were not issued.
 */
export function commandOf(state: AccountState, event: CommandedEvent): Command {
  const { by, request, input, reason } = event.data;
  const origin = { by, request, input, ...(reason !== undefined && { reason }) };
  switch (event.type) {
    case 'AccountOpened':
      return opening(event, origin);
    case 'AccountSuspended':
      return { command: 'suspend-account', origin };
    case 'AccountResumed':
      return { command: 'resume-account', origin };
    case 'AccountChanged':
      return change(event, origin);
    case 'AccountClosed':
      return { command: 'close-account', origin };
    case 'ProfileErased':
      return { command: 'erase-profile', origin, profiles: event.data.profiles };
    case 'ApiKeyIssued': {
      const { key_id: keyId, hash, prefix, last_four: lastFour, scopes, profile } = event.data;
      const expiresAt = instant(event.data.expires_at);
      const key = { keyId, hash, prefix, lastFour, scopes, expiresAt, profile };
      return { command: 'issue-api-key', origin, ...key };
    }
    case 'ApiKeyRevoked':
      return { command: 'revoke-api-key', origin, keyId: event.data.key_id, wasIssued: false };
    case 'ApiKeyEndSet': {
      const { key_id: keyId, expires_at: end } = event.data;
      return {
        command: 'end-api-key',
        origin,
        keyId,
        expiresAt: Date.parse(end),
        wasIssued: false,
      };
    }
    case 'CreditsGranted': {
      const { grant_id: grantId, credits, price, priority, profile } = event.data;
      const { kind } = event.data;
      if (kind === 'included') throw new Error('Nobody asks for included credits.');
      const expiresAt = instant(event.data.expires_at);
      const grant = { grantId, credits, kind, price, expiresAt, priority, profile };
      return { command: 'grant-credits', origin, ...grant };
    }
    case 'GrantVoided':
      return { command: 'void-grant', origin, grantId: event.data.grant_id, wasGiven: true };
    case 'Adjusted':
      return adjustment(event, origin);
    case 'TestClockMoved':
      return { command: 'move-test-clock', origin, now: Date.parse(event.data.now) };
    case 'BudgetSet':
      return budget(state, event, origin);
    case 'BillingDetailsChanged':
      return { command: 'change-billing', origin, ...detailsOf(event) };
    case 'InvoiceSealed':
    case 'CreditNoteSealed':
    case 'PaymentRecorded':
    case 'InvoiceOverdue':
      return recorded(state, event, origin);
    case 'PortalSessionOpened': {
      const { session_id: sessionId, role, hash } = event.data;
      const linkExpiresAt = Date.parse(event.data.link_expires_at);
      return { command: 'open-portal-session', origin, sessionId, role, hash, linkExpiresAt };
    }
    case 'PortalSessionRevoked':
      return { command: 'revoke-portal-session', origin, sessionId: event.data.session_id };
    case 'BudgetRemoved':
      return { command: 'remove-budget', origin, budgetId: event.data.budget_id };
  }
}
