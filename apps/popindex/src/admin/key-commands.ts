import { ACCOUNT, PAGE, pathArgument, REASON, type AdminNoun } from './admin-command.js';
import { words } from './read-values.js';

export const KEY_COMMANDS: AdminNoun = {
  name: 'key',
  description: 'API keys: what opens the data API for an account',
  commands: [
    {
      name: 'issue',
      description: 'issue an API key, which is shown this once',
      example: 'key issue 6f1c… "Production" --expires-at 2027-01-01T00:00:00Z',
      method: 'POST',
      path: '/accounts/{account_id}/api-keys',
      arguments: [
        ACCOUNT,
        { name: '<label>', description: 'what it is for', in: 'body', to: 'label' },
      ],
      options: [
        {
          flags: '--scopes <list>',
          description: 'data, account:read, or both',
          in: 'body',
          to: 'scopes',
          read: words,
        },
        {
          flags: '--expires-at <time>',
          description: 'it works until then',
          in: 'body',
          to: 'expires_at',
        },
      ],
    },
    {
      name: 'list',
      description: 'the API keys of an account, by their last four characters',
      example: 'key list 6f1c…',
      method: 'GET',
      path: '/accounts/{account_id}/api-keys',
      arguments: [ACCOUNT],
      options: PAGE,
      columns: ['id', 'label', 'last_four', 'status', 'scopes', 'expires_at', 'last_used_at'],
    },
    {
      name: 'revoke',
      description: 'end an API key at once',
      example: 'key revoke 6f1c… 0b7a… --reason "leaked"',
      method: 'DELETE',
      path: '/accounts/{account_id}/api-keys/{key_id}',
      arguments: [ACCOUNT, pathArgument('key', 'key_id', 'id of the API key')],
      options: [REASON],
      done: 'The key is revoked: no call is charged to it any more.',
    },
  ],
};
