import { ACCOUNT, PAGE, pathArgument } from './admin-command.js';
import type { AdminCommand, CommandOption } from './admin-command.js';

const PERIOD: readonly CommandOption[] = [
  { flags: '--from <time>', description: 'a time or a date', in: 'query', to: 'from' },
  { flags: '--to <time>', description: 'until before this', in: 'query', to: 'to' },
];

/** `popindex usage`. */
export const USAGE_COMMAND: AdminCommand = {
  name: 'usage',
  description: 'sums of the calls of an account',
  example: 'usage 6f1c… --by month,resource --from 2026-11-01',
  method: 'GET',
  path: '/accounts/{account_id}/usage',
  arguments: [ACCOUNT],
  options: [
    ...PERIOD,
    {
      flags: '--by <list>',
      description: 'day, window, month, resource, region, rule, kind, api_key, key, tag',
      in: 'query',
      to: 'by',
    },
    ...PAGE,
  ],
};

/** `popindex statement`. */
export const STATEMENT_COMMAND: AdminCommand = {
  name: 'statement',
  description: 'a month of an account in credits',
  example: 'statement 6f1c… 2026-10 --json',
  method: 'GET',
  path: '/accounts/{account_id}/statements/{month}',
  arguments: [ACCOUNT, pathArgument('month', 'month', 'such as 2026-10')],
};

/** `popindex audit`. */
export const AUDIT_COMMAND: AdminCommand = {
  name: 'audit',
  description: 'who changed what, when and why',
  example: 'audit --account 6f1c… --order desc --limit 20',
  method: 'GET',
  path: '/audit',
  options: [
    { flags: '--by <token>', description: 'id of an admin token', in: 'query', to: 'by' },
    { flags: '--account <id>', description: 'only this account', in: 'query', to: 'account_id' },
    ...PERIOD,
    { flags: '--order <order>', description: 'asc or desc', in: 'query', to: 'order' },
    ...PAGE,
  ],
  columns: ['at', 'by_name', 'by', 'type', 'account_id', 'reason', 'request_id'],
};
