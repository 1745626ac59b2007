import { ACCOUNT, PAGE, pathArgument, REASON } from './admin-command.js';
import type { AdminNoun, CommandOption } from './admin-command.js';
import { creditedLines, wholeNumber, words } from './read-values.js';

const NUMBER = pathArgument('number', 'number', 'number of the invoice, as INV-000001');
const NOTE = pathArgument('number', 'number', 'number of the credit note, as CN-000001');

const MONTH: CommandOption = {
  flags: '--month <month>',
  description: 'only of that month of supply, as 2026-11',
  in: 'query',
  to: 'month',
};
const OF_ACCOUNT: CommandOption = {
  flags: '--account <id>',
  description: 'only of that account',
  in: 'query',
  to: 'account_id',
};
const TEST: CommandOption = {
  flags: '--test <flag>',
  description: 'true: only of test accounts, false: of none',
  in: 'query',
  to: 'test',
};
const WHY: CommandOption = { ...REASON, description: 'why; it is printed', isRequired: true };

export const INVOICE_COMMANDS: AdminNoun = {
  name: 'invoice',
  description: 'what was issued, and what became of it',
  commands: [
    {
      name: 'run',
      description: 'issue what is due of a month at once',
      example: 'invoice run 2026-11',
      method: 'POST',
      path: '/invoice-runs',
      arguments: [
        { name: '<month>', description: 'the month, as 2026-11', in: 'body', to: 'month' },
      ],
      options: [
        {
          flags: '--account <id>',
          description: 'only of that account',
          in: 'body',
          to: 'account_id',
        },
      ],
    },
    {
      name: 'progress',
      description: 'how far a run is that takes long',
      example: 'invoice progress 0198…',
      method: 'GET',
      path: '/invoice-runs/{run_id}',
      arguments: [pathArgument('run', 'run_id', 'id of the run')],
    },
    {
      name: 'list',
      description: 'issued invoices by number',
      example: 'invoice list --month 2026-11 --status overdue',
      method: 'GET',
      path: '/invoices',
      options: [
        MONTH,
        OF_ACCOUNT,
        TEST,
        {
          flags: '--status <status>',
          description: 'issued, partly_paid, paid, overdue or credited',
          in: 'query',
          to: 'status',
        },
        ...PAGE,
      ],
      columns: ['number', 'month', 'issue_date', 'due_date', 'currency', 'total', 'account_id'],
    },
    {
      name: 'show',
      description: 'one invoice, with its lines and its state',
      example: 'invoice show INV-000001',
      method: 'GET',
      path: '/invoices/{number}',
      arguments: [NUMBER],
    },
    {
      name: 'draft',
      description: "an account's month so far, as it would be invoiced now",
      example: 'invoice draft 6f1c…',
      method: 'GET',
      path: '/accounts/{account_id}/invoices/draft',
      arguments: [ACCOUNT],
    },
    {
      name: 'calls',
      description: 'the exact calls behind a line',
      example: 'invoice calls INV-000001 1',
      method: 'GET',
      path: '/invoices/{number}/lines/{line}/calls',
      arguments: [NUMBER, pathArgument('line', 'line', 'number of the line')],
      options: PAGE,
      columns: ['call_id', 'at', 'kind', 'credits_used', 'key'],
    },
    {
      name: 'void',
      description: 'take back all that is left of an invoice',
      example: 'invoice void INV-000001 --reason "Sent to the wrong company."',
      method: 'POST',
      path: '/invoices/{number}/void',
      arguments: [NUMBER],
      options: [{ ...REASON, description: 'why; it is printed' }],
    },
    {
      name: 'credit',
      description: 'take back all that is left of an invoice, or parts of its lines, or calls',
      example: 'invoice credit INV-000001 --lines 4=1200 --reason "Agreed by phone."',
      method: 'POST',
      path: '/invoices/{number}/credit-notes',
      arguments: [NUMBER],
      options: [
        WHY,
        {
          flags: '--lines <parts>',
          description: 'only of these lines: 4=1200 in minor units, net, or 4=500c in credits',
          in: 'body',
          to: 'lines',
          read: creditedLines,
        },
        {
          flags: '--calls <ids>',
          description: 'only these calls',
          in: 'body',
          to: 'call_ids',
          read: words,
        },
      ],
    },
    {
      name: 'pay',
      description: 'record what was paid, in minor units; below 0 what bounced or was paid back',
      example: 'invoice pay INV-000001 79343 --date 2026-11-12 --reference INV-000001',
      method: 'POST',
      path: '/invoices/{number}/payments',
      arguments: [
        NUMBER,
        {
          name: '<amount>',
          description: 'minor units of the currency',
          in: 'body',
          to: 'amount',
          read: wholeNumber,
        },
      ],
      options: [
        {
          flags: '--date <date>',
          description: 'when it was paid, today unless told',
          in: 'body',
          to: 'date',
        },
        {
          flags: '--reference <text>',
          description: 'what the bank said',
          in: 'body',
          to: 'reference',
        },
      ],
    },
  ],
};

export const CREDIT_NOTE_COMMANDS: AdminNoun = {
  name: 'credit-note',
  description: 'what was taken back of invoices',
  commands: [
    {
      name: 'list',
      description: 'issued credit notes by number',
      example: 'credit-note list --month 2026-11',
      method: 'GET',
      path: '/credit-notes',
      options: [MONTH, OF_ACCOUNT, TEST, ...PAGE],
      columns: ['number', 'invoice_number', 'issue_date', 'currency', 'total', 'account_id'],
    },
    {
      name: 'show',
      description: 'one credit note',
      example: 'credit-note show CN-000001',
      method: 'GET',
      path: '/credit-notes/{number}',
      arguments: [NOTE],
    },
  ],
};
