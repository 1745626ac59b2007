import { LEDGER } from '#projections/projections/ledger.projection.js';
import { usageQueries } from '../usage/usage-queries.js';
import { created, ok, page } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { ACCOUNT_READ, STAFF_CHANGE, STAFF_READ } from '../operation/permissions.js';
import { Reason } from '../operation/reason.js';
import { AccountFilter } from './account-filter.js';
import {
  Account,
  ChangeAccount,
  ErasedAccount,
  MoveTestClock,
  OpenAccount,
} from './account.schemas.js';
import { AccountReader } from './account-reader.js';
import { Accounts, type StatusCommand } from './accounts.js';

const ALL = '/accounts';
const ONE = '/accounts/{account_id}';
const FLAGS = {
  currency: '--currency <code>',
  overdraft_credits: '--overdraft <credits>',
  low_balance_credits: '--low-balance <credits>',
  rate_limit: '--rate-limit <50/100>',
  rate_card: '--rate-card <version>',
} as const;
const BECAUSE = 'Acme --reason "as agreed"';

const { read, change } = operationsOf<Accounts>('Accounts');

const get = operationsOf<AccountReader>('Accounts').read({
  id: 'getAccount',
  path: ONE,
  summary: 'One account as it stands, or stood',
  description:
    'Balance, grants with what is left of each, limits, budgets, the running window and a ' +
    'forecast. It shows every change that was answered before. With `as_of` the account is ' +
    'shown as it stood at that moment.',
  access: ACCOUNT_READ,
  confirmsKey: true,
  query: (calendar) => usageQueries(calendar).account,
  answer: ok(Account, { validator: 'account' }),
  cli: {
    name: 'account show',
    description: 'balance, grants, limits, budgets and forecast of one account',
    example: 'Acme --as-of 2026-11-24T09:00:00Z',
  },
  run: (accounts, { path, query, account, request }) =>
    account === null
      ? accounts.get(path.account_id, query.as_of)
      : accounts.getOwn(account, request, query.as_of),
});

const open = change({
  id: 'openAccount',
  method: 'post',
  path: ALL,
  summary: 'Opens an account',
  description:
    'The account takes calls as soon as it has an API key and credits. With `test_clock` it ' +
    'is a test account: its time stands still until it is moved, and its invoices are ' +
    'numbered apart. Send an `Idempotency-Key`, so that a retry opens no second account.',
  access: STAFF_CHANGE,
  body: OpenAccount,
  answer: created(Account, { validator: 'account' }),
  location: ({ id }) => `/accounts/${id}`,
  cli: {
    name: 'account open',
    description: 'open an account',
    example: '"Acme" --currency EUR --low-balance 10000',
    arguments: ['name'],
    flags: FLAGS,
  },
  run: (accounts, { change: made, body }) => accounts.open(made, body),
});

const list = read({
  id: 'listAccounts',
  path: ALL,
  summary: 'All accounts, by id',
  description:
    'In the order of their ids, which no change moves and which says nothing of their names or of ' +
    'when they were opened. Waits up to two seconds until it can show all that was written before ' +
    'it was asked for. A page is found by an index; a filter looks at account after account until ' +
    'the page is full, so one that hardly any account meets costs a look at all of them.',
  access: STAFF_READ,
  query: AccountFilter,
  answer: page(Account),
  waitsFor: () => LEDGER,
  cli: {
    name: 'account list',
    description: 'every account',
    example: '--status active',
    flags: { test: '--test <true|false>' },
    columns: ['id', 'name', 'status', 'test', 'currency', 'balance', 'opened_at'],
  },
  run: async (accounts, { query }) => ({ view: await accounts.list(query) }),
});

const changeTerms = change({
  id: 'changeAccount',
  method: 'patch',
  path: ONE,
  summary: 'Changes the terms of an account',
  description:
    'What is absent stays as it is. A plan is in force from the next month on. From the month in ' +
    'which it ends (`"plan": null`) the overdraft is what it was before the plan, 0 if none was ' +
    'set. A retry is answered with the account as it stands.',
  access: STAFF_CHANGE,
  body: ChangeAccount,
  answer: ok(Account, { validator: 'account' }),
  isConditional: true,
  cli: {
    name: 'account change',
    description: 'change what is named, and nothing else',
    example: 'Acme --overdraft 5000 --rate-limit 100/200',
    flags: FLAGS,
  },
  run: (accounts, { path, change: made, body }) => accounts.change(path.account_id, made, body),
});

function status(
  verb: string,
  command: StatusCommand,
  summary: string,
  effect: string,
  description: string,
) {
  return change({
    id: `${verb}Account`,
    method: 'post',
    path: `/accounts/{account_id}/${verb}`,
    summary,
    description: `${effect} Doing it again changes nothing. A retry is answered with the account as it stands.`,
    access: STAFF_CHANGE,
    body: Reason,
    isBodyOptional: true,
    answer: ok(Account, { validator: 'account' }),
    isConditional: true,
    cli: { name: `account ${verb}`, description, example: BECAUSE },
    run: (accounts, { path, change: made }) => accounts.setStatus(command, path.account_id, made),
  });
}

const suspend = status(
  'suspend',
  'suspend-account',
  'Refuses all calls of an account',
  'Calls are answered 403 `account-suspended` until the account is resumed. Reads still work.',
  'refuse all calls until it is resumed',
);
const resume = status(
  'resume',
  'resume-account',
  'Takes calls of a suspended account again',
  'What the suspension has refused is not made up for.',
  'take calls again',
);
const close = status(
  'close',
  'close-account',
  'Ends an account for ever, with its API keys, portal sessions and webhooks',
  'No call is taken any more; everything can still be read. The month so far is invoiced when it ends.',
  'end the account for ever; what was charged can still be read',
);

const erase = change({
  id: 'eraseAccount',
  method: 'post',
  path: '/accounts/{account_id}/erase',
  summary: 'Erases all names and texts of a closed account',
  description:
    'For ever. Credits, calls and the log stay. Doing it again changes nothing. Refused while a ' +
    'month has something to bill and no invoice.',
  access: STAFF_CHANGE,
  body: Reason,
  isBodyOptional: true,
  answer: ok(ErasedAccount, { validator: 'account' }),
  isConditional: true,
  cli: {
    name: 'account erase',
    description: 'blank the personal data of a closed account',
    example: BECAUSE,
  },
  run: (accounts, { path, change: made }) => accounts.erase(path.account_id, made),
});

const move = change({
  id: 'moveTestClock',
  method: 'post',
  path: '/accounts/{account_id}/test-clock',
  summary: 'Moves the clock of a test account',
  description:
    'Forward only, at most 400 days a step. Answered when all has happened that became due.',
  access: STAFF_CHANGE,
  body: MoveTestClock,
  answer: ok(Account, { validator: 'account' }),
  isConditional: true,
  cli: {
    name: 'account move-clock',
    description: 'move the clock of a test account forward',
    example: 'Acme 2026-12-01T00:00:00Z',
    arguments: ['now'],
  },
  run: (accounts, { path, change: made, body }) =>
    accounts.moveTestClock(path.account_id, made, body.now),
});

/** One account. */
export const ACCOUNT: Resource = { service: AccountReader, operations: [get] };

/** All that is asked of accounts beside reading one. */
export const ACCOUNTS: Resource = {
  service: Accounts,
  operations: [open, list, changeTerms, suspend, resume, close, erase, move],
};
