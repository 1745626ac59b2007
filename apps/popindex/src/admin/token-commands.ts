import { PAGE, pathArgument, REASON, type AdminNoun } from './admin-command.js';

export const TOKEN_COMMANDS: AdminNoun = {
  name: 'token',
  description: 'admin tokens: who besides the holder of ADMIN_TOKEN may do what',
  commands: [
    {
      name: 'issue',
      description: 'issue an admin token, which is shown this once',
      example: 'token issue "Nadja" --role billing',
      method: 'POST',
      path: '/admin-tokens',
      arguments: [{ name: '<name>', description: 'who uses it', in: 'body', to: 'name' }],
      options: [
        {
          flags: '--role <role>',
          description: 'owner, billing, support or data',
          in: 'body',
          to: 'role',
          isRequired: true,
        },
        {
          flags: '--expires-at <time>',
          description: 'it works until then',
          in: 'body',
          to: 'expires_at',
        },
        REASON,
      ],
    },
    {
      name: 'list',
      description: 'every admin token, by its last four characters',
      example: 'token list',
      method: 'GET',
      path: '/admin-tokens',
      options: PAGE,
      columns: ['id', 'name', 'role', 'last_four', 'status', 'expires_at', 'last_used_at'],
    },
    {
      name: 'revoke',
      description: 'end an admin token',
      example: 'token revoke 2f90… --reason "left the company"',
      method: 'DELETE',
      path: '/admin-tokens/{token_id}',
      arguments: [pathArgument('token', 'token_id', 'id of the admin token')],
      options: [REASON],
      done: 'The token is revoked.',
    },
  ],
};
