import { ACCOUNT, PAGE, pathArgument, REASON, type AdminNoun } from './admin-command.js';
import { wholeNumber } from './read-values.js';

export const GRANT_COMMANDS: AdminNoun = {
  name: 'grant',
  description: 'credits that accounts are given',
  commands: [
    {
      name: 'add',
      description: 'give credits',
      example: 'grant add 6f1c… 100000 --kind purchased --price 120000',
      method: 'POST',
      path: '/accounts/{account_id}/grants',
      arguments: [
        ACCOUNT,
        {
          name: '<credits>',
          description: 'how many',
          in: 'body',
          to: 'credits',
          read: wholeNumber,
        },
      ],
      options: [
        {
          flags: '--kind <kind>',
          description: 'purchased or promotional',
          in: 'body',
          to: 'kind',
          isRequired: true,
        },
        {
          flags: '--price <amount>',
          description: 'net, in minor units of the currency; purchased credits only',
          in: 'body',
          to: 'price',
          read: wholeNumber,
        },
        {
          flags: '--expires-at <time>',
          description: 'what is left expires then',
          in: 'body',
          to: 'expires_at',
        },
        {
          flags: '--priority <n>',
          description: 'lower is drawn first, 100 unless told',
          in: 'body',
          to: 'priority',
          read: wholeNumber,
        },
        { flags: '--note <text>', description: 'for the operator', in: 'body', to: 'note' },
      ],
    },
    {
      name: 'list',
      description: 'the grants of an account, and what is left of each',
      example: 'grant list 6f1c…',
      method: 'GET',
      path: '/accounts/{account_id}/grants',
      arguments: [ACCOUNT],
      options: PAGE,
      columns: ['id', 'kind', 'credits', 'left', 'priority', 'expires_at', 'status', 'note'],
    },
    {
      name: 'void',
      description: 'take what is left of a grant; its price is given back by invoice credit',
      example: 'grant void 6f1c… 91d2… --reason "payment bounced"',
      method: 'DELETE',
      path: '/accounts/{account_id}/grants/{grant_id}',
      arguments: [ACCOUNT, pathArgument('grant', 'grant_id', 'id of the grant')],
      options: [REASON],
      done: 'What was left of the grant is void.',
    },
  ],
};
