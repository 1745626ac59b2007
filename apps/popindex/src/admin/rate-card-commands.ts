import { PAGE, pathArgument, REASON, type AdminNoun } from './admin-command.js';
import { jsonFile, wholeNumber } from './read-values.js';

const VERSION = pathArgument('version', 'version', 'version of the card');

export const RATE_CARD_COMMANDS: AdminNoun = {
  name: 'rate-card',
  description: 'what calls cost, from which week on',
  commands: [
    {
      name: 'list',
      description: 'every card that was published',
      example: 'rate-card list',
      method: 'GET',
      path: '/rate-cards',
      options: PAGE,
      columns: ['version', 'effective_window', 'effective_from', 'call_cost', 'in_force', 'reason'],
    },
    {
      name: 'show',
      description: 'one card with its rules',
      example: 'rate-card show 1 --json',
      method: 'GET',
      path: '/rate-cards/{version}',
      arguments: [VERSION],
    },
    {
      name: 'publish',
      description: 'publish a card: effective_window, call_cost and rules as a JSON file',
      example: 'rate-card publish card.json --reason "prices of 2027"',
      method: 'POST',
      path: '/rate-cards',
      arguments: [{ name: '<file>', description: 'JSON file', in: 'body', to: '', read: jsonFile }],
      options: [REASON],
    },
    {
      name: 'diff',
      description: 'what a card changes against another',
      example: 'rate-card diff 2 1',
      method: 'GET',
      path: '/rate-cards/{version}/diff',
      arguments: [
        VERSION,
        { name: '<against>', description: 'version of the other', in: 'query', to: 'against' },
      ],
    },
    {
      name: 'preview',
      description: 'what the calls of a period would have cost by another card',
      example: 'rate-card preview --card 2 --from 2026-11-01 --to 2026-12-01',
      method: 'POST',
      path: '/rate-cards/preview',
      options: [
        {
          flags: '--card <version>',
          description: 'a card that is published',
          in: 'body',
          to: 'version',
          read: wholeNumber,
        },
        {
          flags: '--file <file>',
          description: 'or call_cost and rules as a JSON file',
          in: 'body',
          to: '',
          read: jsonFile,
        },
        {
          flags: '--from <time>',
          description: 'a time or a date',
          in: 'body',
          to: 'from',
          isRequired: true,
        },
        {
          flags: '--to <time>',
          description: 'until before this',
          in: 'body',
          to: 'to',
          isRequired: true,
        },
        {
          flags: '--account <id>',
          description: 'only this account',
          in: 'body',
          to: 'account_id',
        },
        { flags: '--test <flag>', description: 'true: tests too', in: 'query', to: 'test' },
      ],
    },
  ],
};
