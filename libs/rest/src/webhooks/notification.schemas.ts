import { z } from 'zod';
import { TEST_TYPE } from '#deliveries/delivery-sender.js';
import type { NotificationType } from '#projections/projections/notification-types.js';
import { Scope } from '../api-keys/api-key.schemas.js';
import { DisputeOutcome } from '../disputes/dispute.schemas.js';

// Bodies of webhooks: structured CloudEvents, one schema for each type of event.

const uuid = z.uuid();
const credits = z.int();
const amount = z.int().meta({ description: 'In minor units of the currency.' });
const date = z.iso.date();
const moment = z.iso.datetime();
const month = z.string().regex(/^\d{4}-\d{2}$/);
const label = z.string().regex(/^\d{4}w\d{2}$/);
const currency = z.string().regex(/^[A-Z]{3}$/);
const callId = uuid.nullable().meta({ description: 'The call that led to it; null: no call did.' });

const ofBudget = {
  budget_id: uuid,
  period: z.string().meta({ description: 'Label of the month or window.' }),
  limit_credits: credits,
  spent_credits: credits,
} as const;

const allocated = {
  applied: z
    .array(z.strictObject({ invoice_id: uuid, amount }))
    .meta({ description: 'Set against invoices; below 0 it was taken back.' }),
  credit_balance_change: amount.meta({ description: 'The rest.' }),
} as const;

/** A type of event that webhooks receive. */
interface NotificationShape {
  readonly summary: string;
  readonly description: string;
  /** Beside `account_id`, which every event of an account has. */
  readonly data: z.ZodRawShape;
}

/** The data of each type of event, and when it is sent. */
export const NOTIFICATIONS: Readonly<
  Record<NotificationType | typeof TEST_TYPE, NotificationShape>
> = {
  'budget.threshold_crossed': {
    summary: 'A budget has crossed a threshold',
    description: 'Sent once for each budget, period and threshold.',
    data: {
      ...ofBudget,
      threshold: z.int().meta({ description: 'Percent of the limit.' }),
      call_id: callId,
    },
  },
  'budget.blocked': {
    summary: 'A budget has refused a call',
    description: 'Sent once a period, at the first call that the budget refuses.',
    data: {
      ...ofBudget,
      required_credits: credits.meta({ description: 'Cost of the call that was refused.' }),
    },
  },
  'budget.forecast_exceeded': {
    summary: 'A budget will be used up before its period ends',
    description:
      'Sent once a period. A forecast is made once a day, from the last windows of the account.',
    data: {
      ...ofBudget,
      exhausted_at: moment.meta({ description: 'When the budget will be used up.' }),
      call_id: callId,
    },
  },
  'balance.low': {
    summary: 'The balance is below the level that the account has set',
    description: 'Sent when the balance falls below `low_balance_credits`.',
    data: { low_balance_credits: credits, balance: credits, call_id: callId },
  },
  'hold.expired': {
    summary: 'A hold has expired',
    description:
      'Sent when a hold was neither settled nor released in time: its credits can be used again.',
    data: {
      hold_id: uuid,
      credits: credits.meta({ description: 'What it held.' }),
      held_credits: credits.meta({ description: 'What all other open holds hold.' }),
    },
  },
  'grant.expired': {
    summary: 'Credits have expired',
    description: 'Sent when a grant expires with something left of it.',
    data: {
      grant_id: uuid,
      credits: credits.meta({ description: 'Credits that have expired.' }),
      balance: credits,
    },
  },
  'api_key.issued': {
    summary: 'An API key was issued',
    description: 'Sent for each new key. It holds neither the key nor its label.',
    data: { api_key_id: uuid, scopes: z.array(Scope), expires_at: moment.nullable() },
  },
  'api_key.revoked': {
    summary: 'An API key was revoked',
    description: 'Sent for each key that is revoked. The key opens nothing any more.',
    data: { api_key_id: uuid },
  },
  'account.closed': {
    summary: 'The account was closed',
    description: 'Its API keys, portal sessions and webhooks end with it.',
    data: {},
  },
  'window.closed': {
    summary: 'A window of the account has ended',
    description: 'Sent for each week with calls. Keys of the next week have to be paid again.',
    data: {
      window: label,
      calls: z.int(),
      base_calls: z.int().meta({ description: 'First calls of a key among them.' }),
      credits_used: credits,
    },
  },
  'release.ready': {
    summary: 'A release of the data was published',
    description: 'Sent to webhooks of operators. It serves from its window on.',
    data: {
      release: z.string(),
      window: label.meta({ description: 'The first window that it serves.' }),
      through: date.meta({ description: 'The newest month of its figures.' }),
    },
  },
  'release.withdrawn': {
    summary: 'A release was taken back before its window began',
    description: 'Sent to webhooks of operators.',
    data: {
      release: z.string(),
      window: label.meta({ description: 'The first window that it would have served.' }),
      serving: z.string().nullable().meta({
        description: 'The release that serves that window instead; null: none.',
      }),
    },
  },
  'release.missing': {
    summary: 'A window is about to begin without a release of its own',
    description: 'Sent to webhooks of operators, a day before. The release before it will serve.',
    data: {
      window: label,
      window_starts_at: moment,
      serving: z.string().meta({ description: 'The release that will serve the window.' }),
    },
  },
  'invoice.issued': {
    summary: 'An invoice was issued',
    description: 'Sent when the invoice has its number and its documents can be fetched.',
    data: { invoice_id: uuid, number: z.string(), month, currency, total: amount, due_date: date },
  },
  'invoice.overdue': {
    summary: 'An invoice is overdue',
    description: 'Sent once, after the due date, while something of the invoice is due.',
    data: { invoice_id: uuid, due_date: date, due: amount, currency },
  },
  'invoice.reminder': {
    summary: 'A reminder of an invoice is due',
    description:
      'Sent on the days after the due date that the seller has set, while something is due. The billing ' +
      'address gets an e-mail where there is a mail server.',
    data: {
      invoice_id: uuid,
      number: z.string(),
      days: z.int(),
      due_date: date,
      due: amount,
      currency,
    },
  },
  'credit_note.issued': {
    summary: 'A credit note was issued',
    description: 'Its total is negative, as on the document.',
    data: {
      credit_note_id: uuid,
      number: z.string(),
      invoice_id: uuid,
      invoice_number: z.string(),
      month,
      currency,
      total: amount.meta({ description: 'Total in minor units, below 0.' }),
    },
  },
  'payment.recorded': {
    summary: 'A payment was recorded',
    description: 'An amount below 0 takes back a payment that was recorded before.',
    data: {
      payment_id: uuid,
      invoice_id: uuid.meta({ description: 'The first that it pays; the nil UUID: none.' }),
      amount,
      currency,
      date,
      ...allocated,
    },
  },
  'refund.recorded': {
    summary: 'A refund was recorded',
    description: 'Sent when money is paid back to the customer.',
    data: { refund_id: uuid, amount, currency, date, ...allocated },
  },
  'credit_balance.applied': {
    summary: 'The credit balance has paid an invoice',
    description: 'Sent when a new invoice is paid with the credit balance, in whole or in part.',
    data: { invoice_id: uuid, amount, currency, date },
  },
  'write_off.recorded': {
    summary: 'A part of an invoice was written off',
    description: 'An amount below 0 takes back a write-off that was recorded before.',
    data: { write_off_id: uuid, invoice_id: uuid, amount, currency, date },
  },
  'dispute.opened': {
    summary: 'A dispute was opened',
    description: 'Sent when the customer disputes calls. Neither reason nor answer stands in it.',
    data: {
      dispute_id: uuid,
      call_ids: z.array(uuid),
      credits: credits.meta({ description: 'What the calls were charged.' }),
    },
  },
  'dispute.resolved': {
    summary: 'A dispute was resolved',
    description: 'Sent when an operator has answered it, and given back what was accepted.',
    data: {
      dispute_id: uuid,
      call_ids: z.array(uuid),
      outcome: DisputeOutcome,
      credits: credits.meta({ description: 'Given back; 0: nothing.' }),
    },
  },
  'top_up.ordered': {
    summary: 'Credits were ordered',
    description: 'Sent when the customer orders a package of credits. The price is net.',
    data: { order_id: uuid, package: z.string(), credits, price: amount, currency },
  },
  'top_up.declined': {
    summary: 'An order of credits was declined',
    description: 'Sent when an operator declines it. The reason does not stand in it.',
    data: { order_id: uuid },
  },
  'top_up.cancelled': {
    summary: 'An order of credits was cancelled',
    description: 'Sent when the customer cancels it before it is accepted.',
    data: { order_id: uuid },
  },
  [TEST_TYPE]: {
    summary: 'A test of the webhook',
    description: 'Sent once on request, and never again by itself.',
    data: { webhook_id: uuid },
  },
};
