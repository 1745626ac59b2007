import { created, NOTHING, ok, page } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { PAGE } from '../operation/queries.js';
import { ACCOUNT_CHANGE, ACCOUNT_READ } from '../operation/permissions.js';
import { Reason } from '../operation/reason.js';
import { BudgetTrials } from './budget-trials.js';
import { BudgetDetails, SetBudget, TriedBudget, TryBudget } from './budget.schemas.js';
import { Budgets } from './budgets.js';

const ALL = '/accounts/{account_id}/budgets';
const ONE = '/accounts/{account_id}/budgets/{budget_id}';
const EXAMPLE = '--period month --limit 100000 --thresholds 50,80,100 --action block';
const FLAGS = {
  limit_credits: '--limit <credits>',
  thresholds: '--thresholds <percent>',
  api_key_id: '--key <id>',
  notify: '--emails <list>',
} as const;

const { read, change } = operationsOf<Budgets>('Budgets');

const create = change({
  id: 'createBudget',
  method: 'post',
  path: ALL,
  summary: 'Creates a budget of an account or an API key',
  description:
    'It reports thresholds and, with `block`, refuses calls beyond the limit. Spend counts from ' +
    'the start of the period: thresholds that it has reached already are reported ' +
    'at once. An account has at most 100 budgets.',
  access: ACCOUNT_CHANGE,
  body: SetBudget,
  answer: created(BudgetDetails, { validator: 'own' }),
  isConditional: true,
  location: ({ id }, { path }) => `/accounts/${path.account_id}/budgets/${id}`,
  cli: {
    name: 'budget add',
    description: 'add a budget',
    example: `Acme ${EXAMPLE}`,
    flags: FLAGS,
  },
  run: (budgets, { path, change: made, body }) => budgets.set(path.account_id, null, made, body),
});

const list = read({
  id: 'listBudgets',
  path: ALL,
  summary: 'Budgets of an account, oldest first',
  description:
    'Each budget with what is spent and left in its running period, and the thresholds that ' +
    'it has crossed.',
  access: ACCOUNT_READ,
  query: PAGE,
  answer: page(BudgetDetails),
  cli: {
    name: 'budget list',
    description: 'the budgets of an account, and what is spent of each',
    example: 'Acme',
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
  run: async (budgets, { path, query }) => ({ view: await budgets.list(path.account_id, query) }),
});

const get = read({
  id: 'getBudget',
  path: ONE,
  summary: 'One budget, with what is spent of it',
  description:
    'Shows what is spent and left in the running period, and who is notified. The `ETag` is ' +
    'the version for `If-Match` of a later change.',
  access: ACCOUNT_READ,
  answer: ok(BudgetDetails, { validator: 'own' }),
  run: (budgets, { path }) => budgets.get(path.account_id, path.budget_id),
});

const replace = change({
  id: 'replaceBudget',
  method: 'put',
  path: ONE,
  summary: 'Replaces a budget',
  description: 'What was reported in the running period is not reported again.',
  access: ACCOUNT_CHANGE,
  body: SetBudget,
  answer: ok(BudgetDetails, { validator: 'own' }),
  isConditional: true,
  cli: {
    name: 'budget replace',
    description: 'replace all of a budget',
    example: `Acme 4e0d… ${EXAMPLE}`,
    flags: FLAGS,
  },
  run: (budgets, { path, change: made, body }) =>
    budgets.set(path.account_id, path.budget_id, made, body),
});

const remove = change({
  id: 'removeBudget',
  method: 'delete',
  path: ONE,
  summary: 'Removes a budget',
  description:
    'From now on it limits and reports nothing. Alerts that were sent stay in the list of ' +
    'alerts.',
  access: ACCOUNT_CHANGE,
  body: Reason,
  isBodyOptional: true,
  answer: NOTHING,
  isConditional: true,
  cli: {
    name: 'budget remove',
    description: 'remove a budget',
    example: 'Acme 4e0d…',
    done: 'The budget is removed.',
  },
  run: (budgets, { path, change: made }) => budgets.remove(path.account_id, path.budget_id, made),
});

const tryOut = operationsOf<BudgetTrials>('Budgets').read({
  id: 'tryBudget',
  method: 'post',
  path: `${ALL}/preview`,
  summary: 'What a blocking budget would have refused',
  description:
    'Goes through the calls of the running period and the one before it, as if the limit had ' +
    'stood from the start of each: a refused first call leaves the next one of its URL a first ' +
    'call. Nothing is changed.',
  access: ACCOUNT_READ,
  body: TryBudget,
  answer: ok(TriedBudget),
  cli: {
    name: 'budget preview',
    description: 'what a blocking budget would have refused',
    example: 'Acme --period month --limit 100000',
    flags: FLAGS,
  },
  run: async (trials, { path, body }) => ({ view: await trials.of(path.account_id, body) }),
});

/** The budgets of accounts. */
export const BUDGETS: readonly Resource[] = [
  { service: Budgets, operations: [create, list, get, replace, remove] },
  { service: BudgetTrials, operations: [tryOut] },
];
