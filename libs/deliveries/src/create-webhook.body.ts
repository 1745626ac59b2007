import { z } from 'zod';
import {
  NOTIFICATION_TYPES,
  type NotificationType,
} from '#projections/projections/notification-types.js';
import { textField, uuidField } from '#web/body-fields.js';
import { URL_LENGTH_MAX, webhookUrlFault } from './webhook-url.js';

function urlField(allowPrivate: boolean) {
  return z
    .string()
    .max(URL_LENGTH_MAX)
    .superRefine((text, context) => {
      const fault = webhookUrlFault(text, allowPrivate);
      if (fault !== undefined) context.addIssue(fault);
    })
    .meta({ format: 'uri', description: 'https; its name must lead to public addresses.' });
}

/** A type of event that webhooks receive. */
export const NotificationTypeName = z.enum(NOTIFICATION_TYPES).meta({ id: 'NotificationType' });

const events = z
  .array(NotificationTypeName)
  .min(1)
  .refine((types) => new Set(types).size === types.length, 'Each type once')
  .nullable()
  .default(null)
  .meta({ description: 'Types of events to send; null: all, also types of later versions.' });

const account = uuidField.nullable().default(null).meta({
  description:
    "The account whose events are sent; null: all accounts, and the system's events (`release.…`).",
});

function refuseReleases(
  types: readonly NotificationType[] | null,
  context: z.core.$RefinementCtx,
): void {
  types?.forEach((type, index) => {
    if (!type.startsWith('release.')) return;
    const message = 'A webhook of one account receives nothing about releases';
    context.addIssue({ code: 'custom', path: ['events', index], message });
  });
}

function fieldsOf(allowPrivate: boolean) {
  return {
    url: urlField(allowPrivate),
    events,
    description: textField(500)
      .nullable()
      .default(null)
      .meta({ description: 'What the webhook is for.' }),
  };
}

/** Body of `POST /webhooks`. `allowPrivate`: whether http and private addresses are taken. */
export function createWebhookBody(allowPrivate: boolean) {
  return z
    .strictObject({ ...fieldsOf(allowPrivate), account_id: account })
    .superRefine((body, context) => {
      if (body.account_id !== null) refuseReleases(body.events, context);
    });
}

/** The same for a webhook that a customer makes of the own account. */
export function webhookOfAccountBody(allowPrivate: boolean) {
  return z
    .strictObject(fieldsOf(allowPrivate))
    .superRefine((body, context) => refuseReleases(body.events, context));
}

export type WebhookOfAccountBody = z.output<ReturnType<typeof webhookOfAccountBody>>;

export type CreateWebhookBody = z.output<ReturnType<typeof createWebhookBody>>;
