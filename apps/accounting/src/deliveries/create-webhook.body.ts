import { z } from 'zod';
import { NOTIFICATION_TYPES } from '#ledger/notification-types.js';
import { textField, uuidField } from '../accounts/body-fields.js';
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

const events = z
  .array(z.enum(NOTIFICATION_TYPES))
  .min(1)
  .refine((types) => new Set(types).size === types.length, 'Each type once')
  .nullable()
  .default(null)
  .meta({ description: 'Null: all, also those that are still to come.' });

const account = uuidField.nullable().default(null).meta({
  description: "Null: the events of all accounts, and the system's (`release.…`).",
});

/** Body of `POST /webhooks`. `allowPrivate`: whether http and private addresses are taken. */
export function createWebhookBody(allowPrivate: boolean) {
  return z
    .strictObject({
      url: urlField(allowPrivate),
      events,
      account_id: account,
      description: textField(500).nullable().default(null),
    })
    .superRefine((body, context) => {
      if (body.account_id === null) return;
      body.events?.forEach((type, index) => {
        if (!type.startsWith('release.')) return;
        const message = 'A webhook of one account is told nothing of releases';
        context.addIssue({ code: 'custom', path: ['events', index], message });
      });
    });
}

export type CreateWebhookBody = z.output<ReturnType<typeof createWebhookBody>>;
