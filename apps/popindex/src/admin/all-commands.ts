import { RESOURCES } from '#rest/resources.js';
import type { AdminCommand, AdminNoun } from './admin-command.js';
import { commandOf } from './operation-command.js';

const NOUNS: Readonly<Record<string, string>> = {
  account: 'customers: their terms, clocks, money and months',
  key: 'API keys of accounts for the data API',
  portal: "links to a customer's portal, and the sessions that they started",
  member: "people who may sign in to a customer's portal",
  webhook: 'URLs that receive notifications, and their deliveries',
  call: 'single calls: why they cost what they cost, receipts, money back',
  usage: 'sums of calls',
  refusal: 'calls that were refused, and why',
  dispute: 'what customers dispute, and the answers',
  grant: 'credits given to accounts',
  order: 'packages of credits that customers order, and the answers',
  adjustment: 'credits given or taken by hand',
  budget: 'how much an account, or one of its keys, may spend in a period',
  'rate-card': 'prices of calls, and the week from which on they hold',
  seller: 'who sends the invoices',
  billing: 'whom invoices of an account are addressed to',
  invoice: 'invoices: lists, drafts, runs, corrections and payments',
  'credit-note': 'credit notes, which reverse invoices or parts of them',
  'exchange-rate': 'values of currencies in the one in which the seller owes tax',
  period: 'months whose books are closed, or reopened',
  summary: 'figures about all customers',
  token: 'admin tokens and their roles',
  operator: 'people who sign in to the console with the company account',
  audit: 'changes by operators',
  'receipt-key': 'keys that sign receipts of calls',
  log: 'the state of the log',
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
