import {
  ACCOUNT,
  PAGE,
  pathArgument,
  REASON,
  type AdminNoun,
  type CommandOption,
} from './admin-command.js';
import { wholeNumber, wholeNumbers, words } from './read-values.js';

const BUDGET = pathArgument('budget', 'budget_id', 'id of the budget');

const ALL_OF_IT: readonly CommandOption[] = [
  {
    flags: '--period <period>',
    description: 'month or window',
    in: 'body',
    to: 'period',
    isRequired: true,
  },
  {
    flags: '--limit <credits>',
    description: 'credits in a period',
    in: 'body',
    to: 'limit_credits',
    read: wholeNumber,
    isRequired: true,
  },
  {
    flags: '--thresholds <percent>',
    description: 'tell when so much is spent, as 50,80,100',
    in: 'body',
    to: 'thresholds',
    read: wholeNumbers,
    isRequired: true,
  },
  {
    flags: '--action <action>',
    description: 'alert, or block what would exceed it',
    in: 'body',
    to: 'action',
    isRequired: true,
  },
  {
    flags: '--key <id>',
    description: 'only calls with this API key',
    in: 'body',
    to: 'api_key_id',
  },
  {
    flags: '--emails <list>',
    description: 'whom alerts are mailed to',
    in: 'body',
    to: 'notify',
    read: (text) => ({ emails: words(text) }),
  },
  REASON,
];

const EXAMPLE = '--period month --limit 100000 --thresholds 50,80,100 --action block';

export const BUDGET_COMMANDS: AdminNoun = {
  name: 'budget',
  description: 'how much an account, or one of its keys, may spend in a period',
  commands: [
    {
      name: 'set',
      description: 'set a new budget',
      example: `budget set 6f1c… ${EXAMPLE}`,
      method: 'POST',
      path: '/accounts/{account_id}/budgets',
      arguments: [ACCOUNT],
      options: ALL_OF_IT,
    },
    {
      name: 'replace',
      description: 'say all of a budget anew',
      example: `budget replace 6f1c… 4e0d… ${EXAMPLE}`,
      method: 'PUT',
      path: '/accounts/{account_id}/budgets/{budget_id}',
      arguments: [ACCOUNT, BUDGET],
      options: ALL_OF_IT,
    },
    {
      name: 'list',
      description: 'the budgets of an account, and what is spent of each',
      example: 'budget list 6f1c…',
      method: 'GET',
      path: '/accounts/{account_id}/budgets',
      arguments: [ACCOUNT],
      options: PAGE,
      columns: [
        'id',
        'period',
        'limit_credits',
        'spent_credits',
        'left_credits',
        'action',
        'blocked',
        'resets_at',
      ],
    },
    {
      name: 'remove',
      description: 'remove a budget',
      example: 'budget remove 6f1c… 4e0d…',
      method: 'DELETE',
      path: '/accounts/{account_id}/budgets/{budget_id}',
      arguments: [ACCOUNT, BUDGET],
      options: [REASON],
      done: 'The budget is removed.',
    },
  ],
};
