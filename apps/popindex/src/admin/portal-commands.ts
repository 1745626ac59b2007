import { ACCOUNT, PAGE, pathArgument, REASON, type AdminNoun } from './admin-command.js';
import { wholeNumber } from './read-values.js';

const PATH = '/accounts/{account_id}/portal-sessions';

export const PORTAL_COMMANDS: AdminNoun = {
  name: 'portal',
  description: "links that open a customer's portal, and who is signed in with one",
  commands: [
    {
      name: 'link',
      description: 'make a link that opens the portal once; it is shown this once',
      example: 'portal link 6f1c… --role manager',
      method: 'POST',
      path: PATH,
      arguments: [ACCOUNT],
      options: [
        {
          flags: '--role <role>',
          description: 'viewer (looks), or manager (changes and pulls, too)',
          in: 'body',
          to: 'role',
        },
        {
          flags: '--expires-in <seconds>',
          description: 'how long the link works, 900 by default',
          in: 'body',
          to: 'expires_in',
          read: wholeNumber,
        },
        REASON,
      ],
    },
    {
      name: 'list',
      description: 'links and sessions of an account, oldest first',
      example: 'portal list 6f1c…',
      method: 'GET',
      path: PATH,
      arguments: [ACCOUNT],
      options: PAGE,
      columns: ['id', 'role', 'status', 'opened_by', 'opened_at', 'redeemed_at', 'expires_at'],
    },
    {
      name: 'revoke',
      description: 'end a link and the session that it has opened, at once',
      example: 'portal revoke 6f1c… 0b7a… --reason "sent to the wrong address"',
      method: 'DELETE',
      path: `${PATH}/{session_id}`,
      arguments: [ACCOUNT, pathArgument('session', 'session_id', 'id of the session')],
      options: [REASON],
      done: 'The session is over: it opens nothing any more.',
    },
  ],
};
