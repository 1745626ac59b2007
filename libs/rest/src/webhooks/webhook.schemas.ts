import { z } from 'zod';
import {
  createWebhookBody,
  NotificationTypeName,
  webhookOfAccountBody,
} from '#deliveries/create-webhook.body.js';
import { TEST_TYPE } from '#deliveries/delivery-sender.js';
import { SIGN_IN_LINK } from '#deliveries/sign-in-links.js';
import { DELIVERY_STATUSES } from '#deliveries/delivery.js';
import { NOTIFICATION_TYPES } from '#projections/projections/notification-types.js';
import { PAGE_QUERY } from '#web/query.js';

// Webhooks, deliveries and alerts, in requests and in answers.

const uuid = z.uuid();
const moment = z.iso.datetime();
const examples = [
  { url: 'https://hooks.example/popindex', events: ['budget.threshold_crossed' as const] },
];

/** A webhook to create. Whether an address is taken depends on the service's settings. */
export const CreateWebhook = createWebhookBody(true).meta({ id: 'CreateWebhook', examples });

/** The same for a webhook that a customer creates of the own account. */
export const CreateOwnWebhook = webhookOfAccountBody(true).meta({
  id: 'CreateOwnWebhook',
  examples,
});

/** All that is delivered; of an e-mail also a link to sign in with, which no event made. */
const DELIVERED = [...NOTIFICATION_TYPES, TEST_TYPE, SIGN_IN_LINK];

const DeliveryStatus = z.enum(DELIVERY_STATUSES).meta({ id: 'DeliveryStatus' });

/** The query of a list of deliveries. */
export const DELIVERIES_QUERY = z.strictObject({
  ...PAGE_QUERY,
  status: DeliveryStatus.optional().meta({ description: 'Only deliveries in this status.' }),
});
export type DeliveriesQuery = z.output<typeof DELIVERIES_QUERY>;

const webhook = z.strictObject({
  id: uuid,
  url: z.string(),
  events: z.array(NotificationTypeName).nullable().meta({ description: 'Null: all.' }),
  account_id: uuid.nullable(),
  description: z.string().nullable().meta({ description: 'Null also once it was erased.' }),
  created_at: moment,
  secret_rotated_at: moment.nullable(),
  old_secret_signs_until: moment.nullable().meta({
    description: 'Until then a delivery carries the signature of the secret before, too.',
  }),
});

export const Webhook = webhook.meta({ id: 'Webhook' });

/** A webhook with its new secret. */
export const WebhookWithSecret = webhook
  .extend({
    secret: z
      .string()
      .regex(/^whsec_/)
      .optional()
      .meta({ description: 'Shown this once: the answer to a retry is without it.' }),
  })
  .meta({ id: 'WebhookWithSecret' });

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

/** A notification on its way to one webhook or one e-mail address. */
export const Delivery = z
  .strictObject({
    id: uuid.meta({ description: '`webhook-id`, and the `id` of the CloudEvent.' }),
    channel: z.enum(['webhook', 'email']).meta({ id: 'DeliveryChannel' }),
    webhook_id: uuid.nullable(),
    email: z
      .string()
      .nullable()
      .meta({ description: 'Null of a webhook, and once it was erased.' }),
    type: z.string().meta({ id: 'DeliveryType', enum: DELIVERED }),
    number: z.string().nullable().meta({
      description: 'Of the invoice or credit note that an e-mail is about; null of all else.',
    }),
    account_id: uuid.nullable(),
    status: DeliveryStatus.meta({
      description:
        '`cancelled`: its webhook was removed before it arrived, or what a reminder is about was paid.',
    }),
    created_at: moment,
    next_attempt_at: moment.nullable(),
    attempts: z.array(attempt).meta({ description: 'Oldest first.' }),
  })
  .meta({ id: 'Delivery' });

/** A threshold that a budget crossed. */
export const Alert = z
  .strictObject({
    budget_id: uuid,
    period: z.string().meta({ description: 'Label of a month or a window.' }),
    threshold: z.int().meta({ description: 'Percent of the limit.' }),
    limit_credits: z.int(),
    spent_credits: z.int(),
    call_id: uuid.nullable().meta({
      description: 'The call that crossed it; null: it was reached when the budget was set.',
    }),
    at: moment,
    deliveries: z.array(Delivery),
  })
  .meta({ id: 'Alert' });
