import { ACCOUNT, PAGE, REASON, type AdminNoun, type CommandOption } from './admin-command.js';
import { jsonFileOrNone, rateLimit, wholeNumber, wholeNumberOrNone } from './read-values.js';

const LIMITS: readonly CommandOption[] = [
  {
    flags: '--overdraft <credits>',
    description: 'how far the balance may go below zero, or none for no limit',
    in: 'body',
    to: 'overdraft_credits',
    read: wholeNumberOrNone,
  },
  {
    flags: '--low-balance <credits>',
    description: 'tell when the balance falls below this, or none',
    in: 'body',
    to: 'low_balance_credits',
    read: wholeNumberOrNone,
  },
  {
    flags: '--rate-limit <limit>',
    description: 'calls a second and at once, as 50/100, or none',
    in: 'body',
    to: 'rate_limit',
    read: rateLimit,
  },
  {
    flags: '--rate-card <version>',
    description: 'a rate card of its own, or none',
    in: 'body',
    to: 'rate_card',
    read: wholeNumberOrNone,
  },
  {
    flags: '--plan <file>',
    description: 'a plan as a JSON file, or none',
    in: 'body',
    to: 'plan',
    read: jsonFileOrNone,
  },
];

const COLUMNS = ['id', 'name', 'status', 'test', 'currency', 'balance', 'opened_at'];

export const ACCOUNT_COMMANDS: AdminNoun = {
  name: 'account',
  description: 'customers, their limits and their clocks',
  commands: [
    {
      name: 'open',
      description: 'open an account',
      example: 'account open "Acme" --currency EUR --low-balance 10000',
      method: 'POST',
      path: '/accounts',
      arguments: [{ name: '<name>', description: 'name of the customer', in: 'body', to: 'name' }],
      options: [
        { flags: '--currency <code>', description: 'ISO 4217', in: 'body', to: 'currency' },
        {
          flags: '--test-clock <time>',
          description: 'open a test account that lives at this moment',
          in: 'body',
          to: 'test_clock',
        },
        ...LIMITS,
      ],
    },
    {
      name: 'list',
      description: 'every account',
      example: 'account list --status active',
      method: 'GET',
      path: '/accounts',
      options: [
        { flags: '--status <status>', description: 'only these', in: 'query', to: 'status' },
        { flags: '--test <flag>', description: 'true or false', in: 'query', to: 'test' },
        ...PAGE,
      ],
      columns: COLUMNS,
    },
    {
      name: 'show',
      description: 'balance, grants, limits, budgets and forecast of one account',
      example: 'account show 6f1c… --as-of 2026-11-24T09:00:00Z',
      method: 'GET',
      path: '/accounts/{account_id}',
      arguments: [ACCOUNT],
      options: [
        { flags: '--as-of <time>', description: 'as it stood then', in: 'query', to: 'as_of' },
      ],
    },
    {
      name: 'change',
      description: 'change what is named, and nothing else',
      example: 'account change 6f1c… --overdraft 5000 --rate-limit 100/200',
      method: 'PATCH',
      path: '/accounts/{account_id}',
      arguments: [ACCOUNT],
      options: [
        { flags: '--name <name>', description: 'a new name', in: 'body', to: 'name' },
        ...LIMITS,
        REASON,
      ],
    },
    status('suspend', 'refuse all calls until it is resumed'),
    status('resume', 'take calls again'),
    status('close', 'end the account for ever; what was charged can still be read'),
    status('erase', 'blank the personal data of a closed account'),
    {
      name: 'test-clock',
      description: 'move the clock of a test account forward',
      example: 'account test-clock 6f1c… 2026-12-01T00:00:00Z',
      method: 'POST',
      path: '/accounts/{account_id}/test-clock',
      arguments: [
        ACCOUNT,
        { name: '<now>', description: 'its new present', in: 'body', to: 'now' },
      ],
    },
  ],
};

function status(name: string, description: string): AdminNoun['commands'][number] {
  return {
    name,
    description,
    example: `account ${name} 6f1c… --reason "as agreed"`,
    method: 'POST',
    path: `/accounts/{account_id}/${name}`,
    arguments: [ACCOUNT],
    options: [REASON],
  };
}

/** `popindex adjust`. */
export const ADJUST_COMMAND: AdminNoun['commands'][number] = {
  name: 'adjust',
  description: 'give an account credits, or take them, by hand',
  example: 'adjust 6f1c… -50 "twice by mistake"',
  method: 'POST',
  path: '/accounts/{account_id}/adjustments',
  arguments: [
    ACCOUNT,
    {
      name: '<credits>',
      description: 'to give, or below zero to take',
      in: 'body',
      to: 'credits',
      read: wholeNumber,
    },
    { name: '<reason>', description: 'why; it stands in the log', in: 'body', to: 'reason' },
  ],
  options: [
    { flags: '--call <id>', description: 'give this call back', in: 'body', to: 'call_id' },
  ],
};
