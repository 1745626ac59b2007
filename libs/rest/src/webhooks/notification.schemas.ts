import { z } from 'zod';
import { TEST_TYPE } from '#deliveries/delivery-sender.js';
import type { NotificationType } from '#ledger/projections/notification-types.js';
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

const BUDGET = {
  budget_id: '4e0d6c5b-4a39-4281-b0f7-6e5d4c3b2a88',
  period: '2026-11',
  limit_credits: 100_000,
  spent_credits: 80_035,
};
const CALL_ID = '00000000-0000-4000-9000-000000000001';
const DISPUTE_ID = '8b9c0d1e-2f3a-4b4c-9d5e-6f7a8b9c0d99';
const INVOICE_ID = '7d8f1c52-3c86-4a6b-9f0e-5f0a8f6d1b11';
const KEY_ID = '0b7a5c3d-1e2f-4a6b-8c9d-0e1f2a3b4c99';

/** A type of event that webhooks receive. */
interface Notified {
  readonly summary: string;
  readonly description: string;
  /** Beside `account_id`, which every event of an account has. */
  readonly data: z.ZodRawShape;
  readonly example: object;
}

/** The data of each type of event, and when it is sent. */
export const NOTIFICATIONS: Readonly<Record<NotificationType | typeof TEST_TYPE, Notified>> = {
  'budget.threshold_crossed': {
    summary: 'A budget has crossed a threshold',
    description: 'Sent once for each budget, period and threshold.',
    data: {
      ...ofBudget,
      threshold: z.int().meta({ description: 'Percent of the limit.' }),
      call_id: callId,
    },
    example: { ...BUDGET, threshold: 80, call_id: CALL_ID },
  },
  'budget.blocked': {
    summary: 'A budget has refused a call',
    description: 'Sent once a period, at the first call that the budget refuses.',
    data: {
      ...ofBudget,
      required_credits: credits.meta({ description: 'Cost of the call that was refused.' }),
    },
    example: { ...BUDGET, required_credits: 50_000 },
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
    example: { ...BUDGET, exhausted_at: '2026-11-27T00:00:00Z', call_id: null },
  },
  'balance.low': {
    summary: 'The balance is below the level that the account has set',
    description: 'Sent when the balance falls below `low_balance_credits`.',
    data: { low_balance_credits: credits, balance: credits, call_id: callId },
    example: { low_balance_credits: 10_000, balance: 9_965, call_id: CALL_ID },
  },
  'grant.expired': {
    summary: 'Credits have expired',
    description: 'Sent when a grant expires with something left of it.',
    data: {
      grant_id: uuid,
      credits: credits.meta({ description: 'Credits that have expired.' }),
      balance: credits,
    },
    example: { grant_id: '00000000-0000-4000-a000-000000000001', credits: 500, balance: 18_125 },
  },
  'api_key.issued': {
    summary: 'An API key was issued',
    description: 'Sent for each new key. It holds neither the key nor its label.',
    data: { api_key_id: uuid, scopes: z.array(Scope), expires_at: moment.nullable() },
    example: { api_key_id: KEY_ID, scopes: ['data', 'account:read'], expires_at: null },
  },
  'api_key.revoked': {
    summary: 'An API key was revoked',
    description: 'Sent for each key that is revoked. The key opens nothing any more.',
    data: { api_key_id: uuid },
    example: { api_key_id: KEY_ID },
  },
  'account.closed': {
    summary: 'The account was closed',
    description: 'Its API keys, portal sessions and webhooks end with it.',
    data: {},
    example: {},
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
    example: { window: '2026w47', calls: 120, base_calls: 30, credits_used: 1_875 },
  },
  'release.ready': {
    summary: 'A release of the data was published',
    description: 'Sent to webhooks of operators. It serves from its window on.',
    data: {
      release: z.string(),
      window: label.meta({ description: 'The first window that it serves.' }),
      through: date.meta({ description: 'The newest month of its figures.' }),
    },
    example: { release: 'r2', window: '2026w48', through: '2026-10-01' },
  },
  'release.missing': {
    summary: 'A window is about to begin without a release of its own',
    description: 'Sent to webhooks of operators, a day before. The release before it will serve.',
    data: {
      window: label,
      window_starts_at: moment,
      serving: z.string().meta({ description: 'The release that will serve the window.' }),
    },
    example: { window: '2026w48', window_starts_at: '2026-11-24T00:00:00Z', serving: 'r1' },
  },
  'invoice.issued': {
    summary: 'An invoice was issued',
    description: 'Sent when the invoice has its number and its documents can be fetched.',
    data: { invoice_id: uuid, number: z.string(), month, currency, total: amount, due_date: date },
    example: {
      invoice_id: INVOICE_ID,
      number: 'INV-000001',
      month: '2026-11',
      currency: 'EUR',
      total: 79_343,
      due_date: '2026-12-15',
    },
  },
  'invoice.overdue': {
    summary: 'An invoice is overdue',
    description: 'Sent once, after the due date, while something of the invoice is due.',
    data: { invoice_id: uuid, due_date: date, due: amount, currency },
    example: { invoice_id: INVOICE_ID, due_date: '2026-12-15', due: 38_272, currency: 'EUR' },
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
    example: {
      invoice_id: INVOICE_ID,
      number: 'INV-000001',
      days: 3,
      due_date: '2026-12-15',
      due: 38_272,
      currency: 'EUR',
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
    example: {
      credit_note_id: '2b1e9a40-8f2d-4d51-9c3a-6a7f2e5d4c22',
      number: 'CN-000001',
      invoice_id: INVOICE_ID,
      invoice_number: 'INV-000001',
      month: '2026-11',
      currency: 'EUR',
      total: -1_071,
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
    example: {
      payment_id: '5a3c7e18-0d4b-4f6a-8b2e-9c1d3f5a7b33',
      invoice_id: INVOICE_ID,
      amount: 40_000,
      currency: 'EUR',
      date: '2026-12-08',
      applied: [{ invoice_id: INVOICE_ID, amount: 40_000 }],
      credit_balance_change: 0,
    },
  },
  'refund.recorded': {
    summary: 'A refund was recorded',
    description: 'Sent when money is paid back to the customer.',
    data: { refund_id: uuid, amount, currency, date, ...allocated },
    example: {
      refund_id: '6c1d8f2a-7b3e-4c5d-8e9f-0a1b2c3d4e66',
      amount: 1_728,
      currency: 'EUR',
      date: '2026-12-20',
      applied: [],
      credit_balance_change: -1_728,
    },
  },
  'credit_balance.applied': {
    summary: 'The credit balance has paid an invoice',
    description: 'Sent when a new invoice is paid with the credit balance, in whole or in part.',
    data: { invoice_id: uuid, amount, currency, date },
    example: { invoice_id: INVOICE_ID, amount: 1_728, currency: 'EUR', date: '2027-01-01' },
  },
  'write_off.recorded': {
    summary: 'A part of an invoice was written off',
    description: 'An amount below 0 takes back a write-off that was recorded before.',
    data: { write_off_id: uuid, invoice_id: uuid, amount, currency, date },
    example: {
      write_off_id: '7e2f9a3b-8c4d-4e5f-9a0b-1c2d3e4f5a77',
      invoice_id: INVOICE_ID,
      amount: 38_272,
      currency: 'EUR',
      date: '2027-03-01',
    },
  },
  'dispute.opened': {
    summary: 'A dispute was opened',
    description: 'Sent when the customer disputes calls. Neither reason nor answer stands in it.',
    data: {
      dispute_id: uuid,
      call_ids: z.array(uuid),
      credits: credits.meta({ description: 'What the calls were charged.' }),
    },
    example: { dispute_id: DISPUTE_ID, call_ids: [CALL_ID], credits: 50_000 },
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
    example: {
      dispute_id: DISPUTE_ID,
      call_ids: [CALL_ID],
      outcome: 'accepted',
      credits: 50_000,
    },
  },
  [TEST_TYPE]: {
    summary: 'A test of the webhook',
    description: 'Sent once on request, and never again by itself.',
    data: { webhook_id: uuid },
    example: { webhook_id: '77ab1c2d-3e4f-4a5b-8c6d-7e8f9a0b1c55' },
  },
};
