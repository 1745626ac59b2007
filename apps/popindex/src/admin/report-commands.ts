import { ACCOUNT, pathArgument, type AdminCommand } from './admin-command.js';

/** `popindex statement`. */
export const STATEMENT_COMMAND: AdminCommand = {
  name: 'statement',
  description: 'a month of an account in credits',
  example: 'statement 6f1c… 2026-10 --json',
  method: 'GET',
  path: '/accounts/{account_id}/statements/{month}',
  arguments: [ACCOUNT, pathArgument('month', 'month', 'such as 2026-10')],
};
