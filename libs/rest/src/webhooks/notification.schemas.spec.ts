import { cloudEvent } from '#deliveries/cloud-event.js';
import {
  notificationData,
  notificationType,
  NOTIFIED_EVENTS,
} from '#projections/projections/notification-types.js';
import { exampleOf } from '../operation/examples.js';
import { NOTIFICATION_BODIES } from './notification-document.js';

const ACCOUNT_ID = '00000000-0000-4000-8000-000000000001';
const ID = '5c3e7a19-2b4d-4f6e-9a8c-0d1e2f3a4b66';
const MORE = { by: 'owner', request: 'r', input: 'i', reason: 'Ada asked.' };

/** Data in the log where an event has another name for it, by type of event. */
const IN_THE_LOG: Readonly<Record<string, (shown: Record<string, unknown>) => object>> = {
  BudgetThresholdCrossed: budget,
  BudgetBlocked: budget,
  BudgetForecastExceeded: budget,
  BalanceLow: ({ low_balance_credits, ...rest }) => ({ low_balance: low_balance_credits, ...rest }),
  ApiKeyIssued: ({ api_key_id, ...rest }) => ({ key_id: api_key_id, ...rest }),
  ApiKeyRevoked: ({ api_key_id }) => ({ key_id: api_key_id }),
  HoldExpired: ({ hold_id, held_credits, ...rest }) => ({
    hold: hold_id,
    held: held_credits,
    ...rest,
  }),
  WindowClosed: ({ credits_used, ...rest }) => ({ credits: credits_used, ...rest }),
  InvoiceNumbered: ({ invoice_id, ...rest }) => ({ id: invoice_id, ...rest }),
  CreditNoteNumbered: ({ credit_note_id, total, ...rest }) => ({
    id: credit_note_id,
    total: -Number(total),
    ...rest,
  }),
  PaymentRecorded: allocated,
  RefundRecorded: allocated,
};

function allocated({ applied, ...rest }: Record<string, unknown>): object {
  const parts = applied as readonly { invoice_id: string; amount: number }[];
  return { ...rest, applied: parts.map(({ invoice_id, amount }) => [invoice_id, amount]) };
}

function budget({ limit_credits, spent_credits, ...rest }: Record<string, unknown>): object {
  return { limit: limit_credits, spent: spent_credits, ...rest };
}

test.each(NOTIFIED_EVENTS)('%s is sent as the document shows it', (event) => {
  const type = notificationType(event);
  if (type === undefined) throw new Error(`Nobody is notified of ${event}.`);
  const { data: shown } = exampleOf(NOTIFICATION_BODIES[type]) as { data: Record<string, unknown> };
  const { account_id: _account, ...example } = shown;
  const log = IN_THE_LOG[event]?.(example) ?? example;
  const data = notificationData({ type: event, data: JSON.stringify({ ...MORE, ...log }) });
  expect(data).toEqual(example);
  const accountId = type.startsWith('release.') ? null : ACCOUNT_ID;
  const parts = { id: ID, source: 'https://data.example.com', type, accountId, at: 0, data };
  expect(NOTIFICATION_BODIES[type].safeParse(JSON.parse(cloudEvent(parts))).error).toBeUndefined();
});
