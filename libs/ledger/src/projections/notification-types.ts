import type { AccountEvent } from '#account/events.js';
import type { StoredEvent } from '#event-log/event-log.js';
import {
  CREDIT_NOTE_NUMBERED,
  INVOICE_NUMBERED,
  type CreditNoteNumbered,
  type InvoiceNumbered,
} from '../events/number-events.js';
import {
  RELEASE_MISSING,
  RELEASE_PUBLISHED,
  type ReleaseMissing,
  type ReleasePublished,
} from '#popularity/release-events.js';

/** What customers and operators can be told of (contract 5). These names are for ever. */
export const NOTIFICATION_TYPES = [
  'budget.threshold_crossed',
  'budget.blocked',
  'budget.forecast_exceeded',
  'balance.low',
  'grant.expired',
  'api_key.issued',
  'api_key.revoked',
  'account.closed',
  'window.closed',
  'release.ready',
  'release.missing',
  'invoice.issued',
  'invoice.overdue',
  'credit_note.issued',
  'payment.recorded',
] as const;

export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** One kind of event that is told: under which name, and what of its data. Nothing personal. */
interface Told<Data> {
  readonly type: NotificationType;
  readonly data: (data: Data) => Readonly<Record<string, unknown>>;
}

type DataOf<Type extends AccountEvent['type']> = Extract<AccountEvent, { type: Type }>['data'];
type ToldOfAccounts = { readonly [Type in AccountEvent['type']]?: Told<DataOf<Type>> };

const OF_ACCOUNTS: ToldOfAccounts = {
  BudgetThresholdCrossed: {
    type: 'budget.threshold_crossed',
    data: ({ budget_id, period, threshold, limit, spent, call_id }) => ({
      budget_id,
      period,
      threshold,
      limit_credits: limit,
      spent_credits: spent,
      call_id,
    }),
  },
  BudgetBlocked: {
    type: 'budget.blocked',
    data: ({ budget_id, period, limit, spent, required_credits }) => ({
      budget_id,
      period,
      limit_credits: limit,
      spent_credits: spent,
      required_credits,
    }),
  },
  BudgetForecastExceeded: {
    type: 'budget.forecast_exceeded',
    data: ({ budget_id, period, limit, spent, exhausted_at, call_id }) => ({
      budget_id,
      period,
      limit_credits: limit,
      spent_credits: spent,
      exhausted_at,
      call_id,
    }),
  },
  BalanceLow: {
    type: 'balance.low',
    data: ({ low_balance, balance, call_id }) => ({
      low_balance_credits: low_balance,
      balance,
      call_id,
    }),
  },
  GrantExpired: {
    type: 'grant.expired',
    data: ({ grant_id, credits, balance }) => ({ grant_id, credits, balance }),
  },
  ApiKeyIssued: {
    type: 'api_key.issued',
    data: ({ key_id, scopes, expires_at }) => ({ api_key_id: key_id, scopes, expires_at }),
  },
  ApiKeyRevoked: { type: 'api_key.revoked', data: ({ key_id }) => ({ api_key_id: key_id }) },
  AccountClosed: { type: 'account.closed', data: () => ({}) },
  WindowClosed: {
    type: 'window.closed',
    data: ({ window, calls, base_calls, credits }) => ({
      window,
      calls,
      base_calls,
      credits_used: credits,
    }),
  },
  InvoiceOverdue: {
    type: 'invoice.overdue',
    data: ({ invoice_id, due_date, due, currency }) => ({ invoice_id, due_date, due, currency }),
  },
  PaymentRecorded: {
    type: 'payment.recorded',
    data: ({ payment_id, invoice_id, amount, currency, date }) => ({
      payment_id,
      invoice_id,
      amount,
      currency,
      date,
    }),
  },
};

const OF_THE_SYSTEM = {
  [INVOICE_NUMBERED]: {
    type: 'invoice.issued',
    data: ({ id, number, month, currency, total, due_date }: InvoiceNumbered) => ({
      invoice_id: id,
      number,
      month,
      currency,
      total,
      due_date,
    }),
  },
  [CREDIT_NOTE_NUMBERED]: {
    type: 'credit_note.issued',
    // Below 0, as on the document; the event holds how much is taken back.
    data: (note: CreditNoteNumbered) => ({
      credit_note_id: note.id,
      number: note.number,
      invoice_id: note.invoice_id,
      invoice_number: note.invoice_number,
      month: note.month,
      currency: note.currency,
      total: -note.total,
    }),
  },
  [RELEASE_PUBLISHED]: {
    type: 'release.ready',
    data: ({ release, window, through }: ReleasePublished) => ({ release, window, through }),
  },
  [RELEASE_MISSING]: {
    type: 'release.missing',
    data: ({ window, window_starts_at, serving }: ReleaseMissing) => ({
      window,
      window_starts_at,
      serving,
    }),
  },
} as const;

/** By type of event, as it stands in the log. */
const TOLD: ReadonlyMap<string, Told<never>> = new Map<string, Told<never>>(
  Object.entries({ ...OF_ACCOUNTS, ...OF_THE_SYSTEM }),
);

/** Types of events that are told of, as they stand in the log. */
export const TOLD_EVENTS: readonly string[] = [...TOLD.keys()];

/** Under which name an event is told, or undefined for one that is nobody else's business. */
export function notificationType(eventType: string): NotificationType | undefined {
  return TOLD.get(eventType)?.type;
}

/** What is told of an event, by names for others. Throws for one that is not told of. */
export function notificationData({
  type,
  data,
}: Pick<StoredEvent, 'type' | 'data'>): Readonly<Record<string, unknown>> {
  const told = TOLD.get(type);
  if (told === undefined) throw new Error(`Nobody is told of an event of type ${type}.`);
  return told.data(JSON.parse(data) as never);
}
