import type { Command } from 'commander';

/** The commands of the help by subject, in its order. */
export const COMMAND_GROUPS: Readonly<Record<string, readonly string[]>> = {
  Customers: ['search', 'account', 'key', 'member', 'portal', 'webhook'],
  'Calls and credits': [
    'call',
    'usage',
    'refusal',
    'dispute',
    'grant',
    'order',
    'adjustment',
    'budget',
    'rate-card',
  ],
  'Invoices and books': [
    'seller',
    'billing',
    'invoice',
    'credit-note',
    'payment',
    'exchange-rate',
    'summary',
    'export',
    'period',
  ],
  'People and keys of the service': ['token', 'operator', 'audit', 'receipt-key'],
  'Data and the log': [
    'release',
    'verify',
    'backup',
    'restore',
    'migrate',
    'projections',
    'log',
    'cluster',
  ],
};

/** Commands in the order of the help, each in its group. */
export function inGroups(commands: readonly Command[]): Command[] {
  return Object.entries(COMMAND_GROUPS).flatMap(([subject, names]) =>
    names.flatMap((name) =>
      commands
        .filter((command) => command.name() === name)
        .map((command) => command.helpGroup(`${subject}:`)),
    ),
  );
}
