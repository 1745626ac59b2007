import { RESOURCES } from '#rest/resources.js';
import type { AdminCommand, AdminNoun } from './admin-command.js';
import { commandOf } from './operation-command.js';

/** Descriptions of the nouns, in the order of the help. */
const NOUNS: Readonly<Record<string, string>> = {
  account: 'customers, their limits and their clocks',
  key: 'API keys: what opens the data API for an account',
  portal: "links that open a customer's portal, and who is signed in with one",
  grant: 'credits that accounts are given',
  budget: 'how much an account, or one of its keys, may spend in a period',
  'rate-card': 'what calls cost, from which week on',
  invoice: 'what was issued, and what became of it',
  'credit-note': 'what was taken back of invoices',
  webhook: 'addresses that receive events',
  token: 'admin tokens: who besides the holder of ADMIN_TOKEN may do what',
  log: 'the log itself',
};

const operations = RESOURCES.flatMap((resource) => resource.operations);

function commandsOf(noun: string): AdminCommand[] {
  return operations
    .filter(({ cli }) => cli?.name.startsWith(`${noun} `))
    .flatMap((operation) => commandOf(operation) ?? []);
}

/** Commands in groups of one noun. */
export const ADMIN_NOUNS: readonly AdminNoun[] = Object.entries(NOUNS).map(
  ([name, description]) => ({ name, description, commands: commandsOf(name) }),
);
/** Commands of their own. */
export const ADMIN_COMMANDS: readonly AdminCommand[] = operations
  .filter(({ cli }) => cli !== undefined && !cli.name.includes(' '))
  .flatMap((operation) => commandOf(operation) ?? []);
