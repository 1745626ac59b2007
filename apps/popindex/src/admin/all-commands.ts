import { RESOURCES } from '#rest/resources.js';
import type { AdminCommand, AdminNoun } from './admin-command.js';
import { ACCOUNT_COMMANDS, ADJUST_COMMAND } from './account-commands.js';
import { GRANT_COMMANDS } from './grant-commands.js';
import { CREDIT_NOTE_COMMANDS, INVOICE_COMMANDS } from './invoice-commands.js';
import { KEY_COMMANDS } from './key-commands.js';
import { LOG_COMMANDS } from './log-admin-commands.js';
import { commandOf } from './operation-command.js';
import { PORTAL_COMMANDS } from './portal-commands.js';
import { RATE_CARD_COMMANDS } from './rate-card-commands.js';
import { AUDIT_COMMAND, STATEMENT_COMMAND, USAGE_COMMAND } from './report-commands.js';
import { TOKEN_COMMANDS } from './token-commands.js';
import { WEBHOOK_COMMANDS } from './webhook-commands.js';

/** What the commands of a noun are about, in the order of the help. */
const NOUNS: Readonly<Record<string, string>> = {
  account: 'customers, their limits and their clocks',
  key: 'API keys: what opens the data API for an account',
  portal: PORTAL_COMMANDS.description,
  grant: GRANT_COMMANDS.description,
  budget: 'how much an account, or one of its keys, may spend in a period',
  'rate-card': RATE_CARD_COMMANDS.description,
  invoice: INVOICE_COMMANDS.description,
  'credit-note': CREDIT_NOTE_COMMANDS.description,
  webhook: WEBHOOK_COMMANDS.description,
  token: TOKEN_COMMANDS.description,
  log: LOG_COMMANDS.description,
};

const operations = RESOURCES.flatMap((resource) => resource.operations);

function commandsOf(noun: string): AdminCommand[] {
  return operations
    .filter(({ cli }) => cli?.name.startsWith(`${noun} `))
    .flatMap((operation) => commandOf(operation) ?? []);
}

const LEGACY = [
  ACCOUNT_COMMANDS,
  KEY_COMMANDS,
  PORTAL_COMMANDS,
  GRANT_COMMANDS,
  RATE_CARD_COMMANDS,
  INVOICE_COMMANDS,
  CREDIT_NOTE_COMMANDS,
  WEBHOOK_COMMANDS,
  TOKEN_COMMANDS,
  LOG_COMMANDS,
];

/** Commands in groups of one noun. */
export const ADMIN_NOUNS: readonly AdminNoun[] = Object.entries(NOUNS).map(
  ([name, description]) => {
    const commands = commandsOf(name);
    const names = commands.map((command) => command.name);
    const legacy = LEGACY.find((noun) => noun.name === name)?.commands ?? [];
    return {
      name,
      description,
      commands: [...commands, ...legacy.filter((command) => !names.includes(command.name))],
    };
  },
);
/** Commands of their own. */
const own = operations
  .filter(({ cli }) => cli !== undefined && !cli.name.includes(' '))
  .flatMap((operation) => commandOf(operation) ?? []);
export const ADMIN_COMMANDS: readonly AdminCommand[] = [
  ...own,
  ...[ADJUST_COMMAND, USAGE_COMMAND, STATEMENT_COMMAND, AUDIT_COMMAND].filter(
    ({ name }) => !own.some((command) => command.name === name),
  ),
];
