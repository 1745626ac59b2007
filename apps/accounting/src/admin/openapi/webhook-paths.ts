import type { Header, Parameter, PathItem } from '#web/openapi-document.js';
import { DELIVERY_STATUSES } from '#deliveries/delivery.js';
import { changeOperation, readOperation, type Route } from './operation.js';
import { PAGE } from '#ledger/read-parameters.js';

const TAG = 'Webhooks';
const WEBHOOK = ['webhook_id'] as const;
const REASON = { schema: 'Reason', required: false, example: { reason: 'Asked for.' } } as const;
const LOCATION: Header = {
  description: 'Address of the webhook.',
  required: true,
  schema: { type: 'string', format: 'uri-reference' },
};
/** Filters of a list of deliveries. */
export const DELIVERY_FILTERS: readonly Parameter[] = [
  {
    name: 'order',
    in: 'query',
    description: 'Oldest or newest first.',
    schema: { enum: ['asc', 'desc'], default: 'asc' },
  },
  {
    name: 'status',
    in: 'query',
    description: 'Deliveries in that status alone.',
    schema: { enum: DELIVERY_STATUSES },
  },
];

const CREATE: Route = {
  id: 'createWebhook',
  tag: TAG,
  summary: 'Tells an address of what happens from now on',
  description: `Each event is a POST of a structured CloudEvent 1.0 with the headers of Standard Webhooks; \
\`webhook-id\` is the event's \`id\`. Anything but a 2xx within 10 s is tried again after 5 s, then at \
growing intervals for three days. It may arrive more than once, always under the same id. Redirects \
are not followed. The secret is shown this once. An account has at most 20 webhooks, and 1,000 are \
told of all accounts.`,
  body: {
    schema: 'CreateWebhook',
    required: true,
    example: { url: 'https://hooks.example/popindex', events: ['budget.threshold_crossed'] },
  },
  answer: { status: 201, schema: 'WebhookWithSecret' },
  headers: { Location: LOCATION },
};

const LIST: Route = {
  id: 'listWebhooks',
  tag: TAG,
  summary: 'Webhooks, oldest first',
  query: PAGE,
  answer: { status: 200, schema: 'WebhookList' },
};

const SHOW: Route = {
  id: 'getWebhook',
  tag: TAG,
  summary: 'One webhook',
  path: WEBHOOK,
  answer: { status: 200, schema: 'Webhook' },
};

const REMOVE: Route = {
  id: 'removeWebhook',
  tag: TAG,
  summary: 'Removes a webhook at once',
  description: 'What has not arrived is cancelled. Doing it again changes nothing.',
  path: WEBHOOK,
  body: REASON,
  answer: { status: 204 },
};

const ROTATE: Route = {
  id: 'rotateWebhookSecret',
  tag: TAG,
  summary: 'Replaces the secret of a webhook',
  description:
    'For 24 hours each delivery carries the signatures of both. The secret is shown this once.',
  path: WEBHOOK,
  body: REASON,
  answer: { status: 200, schema: 'WebhookWithSecret' },
};

const TEST: Route = {
  id: 'testWebhook',
  tag: TAG,
  summary: 'Sends an event of the type `webhook.test`, once',
  description: 'Answered with the outcome. A retry is answered with the delivery as it stands.',
  path: WEBHOOK,
  body: REASON,
  answer: { status: 200, schema: 'Delivery' },
};

const DELIVERIES: Route = {
  id: 'listDeliveries',
  tag: TAG,
  summary: 'What was to be told to a webhook, and each attempt',
  description: 'Answered also after the webhook was removed.',
  path: WEBHOOK,
  query: [...PAGE, ...DELIVERY_FILTERS],
  answer: { status: 200, schema: 'DeliveryList' },
};

const RESEND: Route = {
  id: 'resendDelivery',
  tag: TAG,
  summary: 'Makes one more attempt at a delivery, at once',
  description:
    'Answered with the delivery after it. It may have arrived before; when it fails, the schedule ' +
    'stays as it was.',
  path: ['delivery_id'],
  body: REASON,
  answer: { status: 200, schema: 'Delivery' },
};

const ALERTS: Route = {
  id: 'listAlerts',
  tag: TAG,
  summary: 'Thresholds that budgets of an account crossed, and who was told',
  path: ['account_id'],
  query: PAGE,
  answer: { status: 200, schema: 'AlertList' },
};

/** Paths of webhooks, deliveries and alerts. */
export function webhookPaths(baseUrl: string): Record<string, PathItem> {
  const read = (route: Route) => readOperation(route, baseUrl);
  const change = (route: Route) => changeOperation(route, baseUrl);
  const one = '/admin/v1/webhooks/{webhook_id}';
  return {
    '/admin/v1/webhooks': { post: change(CREATE), get: read(LIST) },
    [one]: { get: read(SHOW), delete: change(REMOVE) },
    [`${one}/rotate`]: { post: change(ROTATE) },
    [`${one}/test`]: { post: change(TEST) },
    [`${one}/deliveries`]: { get: read(DELIVERIES) },
    '/admin/v1/webhooks/deliveries/{delivery_id}/resend': { post: change(RESEND) },
    '/admin/v1/accounts/{account_id}/alerts': { get: read(ALERTS) },
  };
}
