import { z } from 'zod';
import { NOTIFICATION_TYPES } from '#ledger/notification-types.js';
import { DELIVERY_STATUSES } from '#deliveries/delivery.js';

// What answers about webhooks and deliveries look like.

const uuid = z.uuid();
const moment = z.iso.datetime();

const webhookMembers = {
  id: uuid,
  url: z.string(),
  events: z.array(z.enum(NOTIFICATION_TYPES)).nullable().meta({ description: 'Null: all.' }),
  account_id: uuid.nullable(),
  description: z.string().nullable().meta({ description: 'Null also once it was erased.' }),
  created_at: moment,
  secret_rotated_at: moment.nullable(),
  old_secret_signs_until: moment.nullable().meta({
    description: 'Until then a delivery carries the signature of the secret before, too.',
  }),
} as const;

const attempt = z.strictObject({
  id: uuid,
  at: moment,
  duration_ms: z.int(),
  outcome: z.enum(['delivered', 'failed']),
  status: z.int().nullable().meta({
    description: 'Of the HTTP answer; null where there was none, and for e-mail.',
  }),
  detail: z.string().nullable().meta({ description: 'Why it failed.' }),
});

const delivery = z.strictObject({
  id: uuid.meta({ description: '`webhook-id`, and the `id` of the CloudEvent.' }),
  channel: z.enum(['webhook', 'email']),
  webhook_id: uuid.nullable(),
  email: z.string().nullable().meta({ description: 'Null of a webhook, and once it was erased.' }),
  type: z.enum([...NOTIFICATION_TYPES, 'webhook.test']),
  account_id: uuid.nullable(),
  status: z.enum(DELIVERY_STATUSES).meta({
    description: '`cancelled`: its webhook was removed before it arrived.',
  }),
  created_at: moment,
  next_attempt_at: moment.nullable(),
  attempts: z.array(attempt).meta({ description: 'Oldest first.' }),
});

const alert = z.strictObject({
  budget_id: uuid,
  period: z.string().meta({ description: 'Label of a month or a window.' }),
  threshold: z.int().meta({ description: 'Percent of the limit.' }),
  limit_credits: z.int(),
  spent_credits: z.int(),
  call_id: uuid.nullable().meta({
    description: 'The call that crossed it; null: it was reached when the budget was set.',
  }),
  at: moment,
  deliveries: z.array(delivery),
});

/** Schemas of these answers by the name that the document gives them. */
export const WEBHOOK_ANSWERS = {
  Webhook: z.strictObject(webhookMembers),
  WebhookWithSecret: z.strictObject({
    ...webhookMembers,
    secret: z
      .string()
      .regex(/^whsec_/)
      .optional()
      .meta({
        description: 'Shown this once: the answer to a retry is without it.',
      }),
  }),
  Delivery: delivery,
  Alert: alert,
} as const;
