import type { PathItem } from '#web/openapi-document.js';
import { changeOperation, readOperation, type Route } from '../../admin/openapi/operation.js';
import { PAGE } from '#ledger/read-parameters.js';
import { DELIVERY_FILTERS } from '../../admin/openapi/webhook-paths.js';

const TAG = 'Webhooks';
const WEBHOOK = ['webhook_id'] as const;
const REASON = { schema: 'Reason', required: false, example: { reason: 'Asked for.' } } as const;

const READS = {
  list: {
    id: 'listWebhooks',
    tag: TAG,
    summary: "The account's own webhooks, oldest first",
    query: PAGE,
    answer: { status: 200, schema: 'WebhookList' },
  },
  show: {
    id: 'getWebhook',
    tag: TAG,
    summary: 'One webhook',
    path: WEBHOOK,
    answer: { status: 200, schema: 'Webhook' },
  },
  deliveries: {
    id: 'listDeliveries',
    tag: TAG,
    summary: 'What was to be told to a webhook, and each attempt',
    path: WEBHOOK,
    query: [...PAGE, ...DELIVERY_FILTERS],
    answer: { status: 200, schema: 'DeliveryList' },
  },
} satisfies Record<string, Route>;

const CHANGES = {
  create: {
    id: 'createWebhook',
    tag: TAG,
    summary: 'Tells an address of what happens to the account; the secret is shown this once',
    description: 'An account makes at most 20. They are signed as Standard Webhooks.',
    body: {
      schema: 'CreateOwnWebhook',
      required: true,
      example: { url: 'https://hooks.example/popindex', events: ['budget.threshold_crossed'] },
    },
    answer: { status: 201, schema: 'WebhookWithSecret' },
  },
  remove: {
    id: 'removeWebhook',
    tag: TAG,
    summary: 'Removes a webhook at once',
    path: WEBHOOK,
    body: REASON,
    answer: { status: 204 },
  },
  rotate: {
    id: 'rotateWebhookSecret',
    tag: TAG,
    summary: 'Replaces the secret of a webhook; the one before signs too for 24 hours',
    path: WEBHOOK,
    body: REASON,
    answer: { status: 200, schema: 'WebhookWithSecret' },
  },
  test: {
    id: 'testWebhook',
    tag: TAG,
    summary: 'Sends an event of the type `webhook.test`, once',
    path: WEBHOOK,
    body: REASON,
    answer: { status: 200, schema: 'Delivery' },
  },
  resend: {
    id: 'resendDelivery',
    tag: TAG,
    summary: 'Makes one more attempt at a delivery, at once',
    path: ['delivery_id'],
    body: REASON,
    answer: { status: 200, schema: 'Delivery' },
  },
} satisfies Record<string, Route>;

/** Paths of the account's own webhooks. */
export function webhookPaths(baseUrl: string): Record<string, PathItem> {
  const read = (name: keyof typeof READS) => readOperation(READS[name], baseUrl);
  const change = (name: keyof typeof CHANGES) => changeOperation(CHANGES[name], baseUrl);
  const one = '/portal/v1/webhooks/{webhook_id}';
  return {
    '/portal/v1/webhooks': { get: read('list'), post: change('create') },
    [one]: { get: read('show'), delete: change('remove') },
    [`${one}/rotate`]: { post: change('rotate') },
    [`${one}/test`]: { post: change('test') },
    [`${one}/deliveries`]: { get: read('deliveries') },
    '/portal/v1/webhooks/deliveries/{delivery_id}/resend': { post: change('resend') },
  };
}
