import { PAGE, pathArgument, REASON, type AdminNoun } from './admin-command.js';
import { words } from './read-values.js';

const WEBHOOK = pathArgument('webhook', 'webhook_id', 'id of the webhook');

export const WEBHOOK_COMMANDS: AdminNoun = {
  name: 'webhook',
  description: 'addresses that are told of what happens',
  commands: [
    {
      name: 'add',
      description: 'tell this address; the secret that signs is shown this once',
      example: 'webhook add https://example.com/hook --events budget.blocked,balance.low',
      method: 'POST',
      path: '/webhooks',
      arguments: [{ name: '<url>', description: 'https address', in: 'body', to: 'url' }],
      options: [
        {
          flags: '--events <list>',
          description: 'of these types, all unless told',
          in: 'body',
          to: 'events',
          read: words,
        },
        {
          flags: '--account <id>',
          description: 'of this account alone',
          in: 'body',
          to: 'account_id',
        },
        {
          flags: '--description <text>',
          description: 'what it is for',
          in: 'body',
          to: 'description',
        },
      ],
    },
    {
      name: 'list',
      description: 'every webhook',
      example: 'webhook list',
      method: 'GET',
      path: '/webhooks',
      options: PAGE,
      columns: ['id', 'url', 'events', 'account_id', 'description', 'created_at'],
    },
    {
      name: 'remove',
      description: 'tell this address no more',
      example: 'webhook remove 77ab…',
      method: 'DELETE',
      path: '/webhooks/{webhook_id}',
      arguments: [WEBHOOK],
      options: [REASON],
      done: 'The webhook is removed.',
    },
    {
      name: 'test',
      description: 'send it a test event and tell what came of it',
      example: 'webhook test 77ab…',
      method: 'POST',
      path: '/webhooks/{webhook_id}/test',
      arguments: [WEBHOOK],
      options: [REASON],
    },
    {
      name: 'rotate',
      description: 'make a new secret; the old one signs beside it for a day',
      example: 'webhook rotate 77ab…',
      method: 'POST',
      path: '/webhooks/{webhook_id}/rotate',
      arguments: [WEBHOOK],
      options: [REASON],
    },
    {
      name: 'deliveries',
      description: 'what was delivered there, and what was not',
      example: 'webhook deliveries 77ab… --status failed --order desc',
      method: 'GET',
      path: '/webhooks/{webhook_id}/deliveries',
      arguments: [WEBHOOK],
      options: [
        { flags: '--status <status>', description: 'only these', in: 'query', to: 'status' },
        { flags: '--order <order>', description: 'asc or desc', in: 'query', to: 'order' },
        ...PAGE,
      ],
      columns: ['id', 'type', 'status', 'tries', 'created_at', 'next_attempt_at'],
    },
    {
      name: 'resend',
      description: 'deliver one once more',
      example: 'webhook resend 5c3e…',
      method: 'POST',
      path: '/webhooks/deliveries/{delivery_id}/resend',
      arguments: [pathArgument('delivery', 'delivery_id', 'id of the delivery')],
      options: [REASON],
    },
  ],
};
