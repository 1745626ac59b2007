import { created, NOTHING, ok, page } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import {
  ACCOUNT_CHANGE,
  ACCOUNT_READ,
  STAFF_CHANGE,
  STAFF_READ,
} from '../operation/permissions.js';
import { PAGE } from '../operation/queries.js';
import { Reason } from '../operation/reason.js';
import { WebhookService } from './webhook-service.js';
import {
  Alert,
  CreateOwnWebhook,
  CreateWebhook,
  DELIVERIES_QUERY,
  Delivery,
  Webhook,
  WebhookWithSecret,
} from './webhook.schemas.js';

const ALL = '/webhooks';
const ONE = '/webhooks/{webhook_id}';

const { read, change } = operationsOf<WebhookService>('Webhooks');

const create = change({
  id: 'createWebhook',
  method: 'post',
  path: ALL,
  summary: 'Notifies an address of what happens from now on',
  description: `Each event is a POST of a structured CloudEvent 1.0 with the headers of Standard Webhooks; \
\`webhook-id\` is the event's \`id\`. Anything but a 2xx within 10 s is tried again after 5 s, then at \
growing intervals for three days. It may arrive more than once, always under the same id. Redirects \
are not followed. The secret is shown this once. An account has at most 20 webhooks, and 1,000 are \
notified of all accounts.`,
  access: STAFF_CHANGE,
  body: CreateWebhook,
  readBody: (webhooks, body) => webhooks.readCreate(body),
  answer: created(WebhookWithSecret),
  location: ({ id }) => `${ALL}/${id}`,
  cli: {
    name: 'webhook add',
    description: 'notify this address; the secret that signs is shown this once',
    example: 'https://example.com/hook --events budget.blocked,balance.low',
    arguments: ['url'],
  },
  run: (webhooks, { account, change: made, body }) => webhooks.create(account, made, body),
});

const createOwn = change({
  id: 'createWebhook',
  method: 'post',
  path: '/accounts/{account_id}/webhooks',
  summary: 'Notifies an address of what happens to the account',
  description:
    'Each event is a signed POST, as the webhooks of this document show. The secret that signs is ' +
    'shown this once. An account makes at most 20 webhooks.',
  access: { session: 'manager', scope: 'account:write' },
  body: CreateOwnWebhook,
  readBody: (webhooks, body) => webhooks.readCreateOwn(body),
  answer: created(WebhookWithSecret),
  run: (webhooks, { path: { account_id }, change: made, body }) =>
    webhooks.create(account_id, made, { ...body, account_id }),
});

const list = read({
  id: 'listWebhooks',
  path: ALL,
  summary: 'Webhooks, oldest first',
  description: 'Webhooks that are not removed. Secrets are never shown again.',
  access: ACCOUNT_READ,
  query: PAGE,
  answer: page(Webhook),
  cli: {
    name: 'webhook list',
    description: 'every webhook',
    example: '',
    columns: ['id', 'url', 'events', 'account_id', 'description', 'created_at'],
  },
  run: async (webhooks, { account, query }) => ({ view: await webhooks.list(account, query) }),
});

const get = read({
  id: 'getWebhook',
  path: ONE,
  summary: 'One webhook',
  description:
    'Address, event types and account of a webhook. Its secret is not shown; ' +
    '`old_secret_signs_until` says whether the secret before still signs.',
  access: ACCOUNT_READ,
  answer: ok(Webhook),
  run: async (webhooks, { account, path }) => ({
    view: await webhooks.get(account, path.webhook_id),
  }),
});

const remove = change({
  id: 'removeWebhook',
  method: 'delete',
  path: ONE,
  summary: 'Removes a webhook at once',
  description: 'Deliveries that have not arrived are cancelled. Removing it again changes nothing.',
  access: ACCOUNT_CHANGE,
  body: Reason,
  isBodyOptional: true,
  answer: NOTHING,
  cli: {
    name: 'webhook remove',
    description: 'notify this address no more',
    example: '77ab…',
    done: 'The webhook is removed.',
  },
  run: (webhooks, { account, path, change: made }) =>
    webhooks.remove(account, path.webhook_id, made),
});

const rotate = change({
  id: 'rotateWebhookSecret',
  method: 'post',
  path: `${ONE}/rotate`,
  summary: 'Replaces the secret of a webhook',
  description:
    'For 24 hours each delivery carries the signatures of both. The secret is shown this once.',
  access: ACCOUNT_CHANGE,
  body: Reason,
  isBodyOptional: true,
  answer: ok(WebhookWithSecret),
  cli: {
    name: 'webhook rotate',
    description: 'make a new secret; the old one signs beside it for a day',
    example: '77ab…',
  },
  run: (webhooks, { account, path, change: made }) =>
    webhooks.rotate(account, path.webhook_id, made),
});

const test = change({
  id: 'testWebhook',
  method: 'post',
  path: `${ONE}/test`,
  summary: 'Sends an event of the type `webhook.test`, once',
  description:
    'The answer holds the outcome. A retry is answered with the current state of the delivery.',
  access: ACCOUNT_CHANGE,
  body: Reason,
  isBodyOptional: true,
  answer: ok(Delivery),
  cli: {
    name: 'webhook test',
    description: 'send it a test event and report the outcome',
    example: '77ab…',
  },
  run: (webhooks, { account, path, change: made }) => webhooks.test(account, path.webhook_id, made),
});

const deliveries = read({
  id: 'listDeliveries',
  path: `${ONE}/deliveries`,
  summary: 'Deliveries to a webhook, with each attempt',
  description:
    'Oldest first, each with its attempts. The list can be read also after the webhook was removed.',
  access: ACCOUNT_READ,
  query: DELIVERIES_QUERY,
  answer: page(Delivery),
  cli: {
    name: 'webhook deliveries',
    description: 'what was delivered there, and what was not',
    example: '77ab… --status failed --order desc',
    columns: ['id', 'type', 'status', 'created_at', 'next_attempt_at'],
  },
  run: async (webhooks, { account, path, query }) => ({
    view: await webhooks.listDeliveries(account, path.webhook_id, query),
  }),
});

const emails = read({
  id: 'listEmails',
  path: '/accounts/{account_id}/emails',
  summary: 'E-mails about an account, with each attempt',
  description:
    'Oldest first: invoices and credit notes to the billing address, alerts of budgets, and links to sign in with. ' +
    '`resendDelivery` sends one again; a document goes to the address that the billing details name then.',
  access: STAFF_READ,
  query: DELIVERIES_QUERY,
  answer: page(Delivery),
  cli: {
    name: 'account emails',
    description: 'e-mails about an account, and whether they arrived',
    example: 'Acme --status failed --order desc',
    columns: ['id', 'type', 'number', 'email', 'status', 'created_at', 'next_attempt_at'],
  },
  run: async (webhooks, { path, query }) => ({
    view: await webhooks.emails(path.account_id, query),
  }),
});

const resend = change({
  id: 'resendDelivery',
  method: 'post',
  path: '/webhooks/deliveries/{delivery_id}/resend',
  summary: 'Makes one more attempt at a delivery, at once',
  description:
    'Answered with the delivery after it. It may have arrived before; when it fails, the schedule ' +
    'stays as it was.',
  access: ACCOUNT_CHANGE,
  body: Reason,
  isBodyOptional: true,
  answer: ok(Delivery),
  cli: {
    name: 'webhook resend',
    description: 'deliver one once more',
    example: '5c3e…',
  },
  run: (webhooks, { account, path, change: made }) =>
    webhooks.resend(account, path.delivery_id, made),
});

const alerts = read({
  id: 'listAlerts',
  path: '/accounts/{account_id}/alerts',
  summary: 'Thresholds that budgets of an account crossed, and who was notified',
  description:
    'Oldest first. Each threshold is reported once for each budget and period. An alert lists its ' +
    'deliveries to webhooks and e-mail addresses, with each attempt.',
  access: ACCOUNT_READ,
  query: PAGE,
  answer: page(Alert),
  run: async (webhooks, { account, path, query }) => ({
    view: await webhooks.alerts(account, path.account_id, query),
  }),
});

/** Webhooks, deliveries and alerts. */
export const WEBHOOKS: Resource = {
  service: WebhookService,
  operations: [
    create,
    createOwn,
    list,
    get,
    remove,
    rotate,
    test,
    deliveries,
    emails,
    resend,
    alerts,
  ],
};
