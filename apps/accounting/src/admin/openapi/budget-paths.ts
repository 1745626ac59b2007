import type { Header, PathItem } from '#web/openapi-document.js';
import { changeOperation, OWN_ETAG, readOperation, type Route } from './operation.js';
import { PAGE } from '#ledger/read-parameters.js';

const TAG = 'Budgets';
const ALL = '/admin/v1/accounts/{account_id}/budgets';
const ACCOUNT = ['account_id'] as const;
const BUDGET = ['account_id', 'budget_id'] as const;
const EXAMPLE = {
  period: 'month',
  limit_credits: 100_000,
  thresholds: [50, 80, 100],
  action: 'block',
  notify: { emails: ['ada@example.org'] },
};
const LOCATION: Header = {
  description: 'Address of the budget.',
  required: true,
  schema: { type: 'string', format: 'uri-reference' },
};

const MAKE: Route = {
  id: 'makeBudget',
  tag: TAG,
  summary: 'Limits what an account or an API key spends',
  description:
    'Spend counts from the start of the period: thresholds that it has reached already are told of ' +
    'at once. An account has at most 100 budgets.',
  path: ACCOUNT,
  body: { schema: 'SetBudget', required: true, example: EXAMPLE },
  answer: { status: 201, schema: 'Budget' },
  headers: { Location: LOCATION, ETag: OWN_ETAG },
};

const LIST: Route = {
  id: 'listBudgets',
  tag: TAG,
  summary: 'Budgets of an account, oldest first',
  path: ACCOUNT,
  query: PAGE,
  answer: { status: 200, schema: 'BudgetList' },
};

const SHOW: Route = {
  id: 'getBudget',
  tag: TAG,
  summary: 'One budget, with what is spent of it',
  path: BUDGET,
  answer: { status: 200, schema: 'Budget' },
  headers: { ETag: OWN_ETAG },
};

const REPLACE: Route = {
  id: 'replaceBudget',
  tag: TAG,
  summary: 'Says all of a budget anew',
  description: 'What was told in the running period is not told again.',
  path: BUDGET,
  body: { schema: 'SetBudget', required: true, example: EXAMPLE },
  answer: { status: 200, schema: 'Budget' },
  headers: { ETag: OWN_ETAG },
  isConditional: true,
};

const REMOVE: Route = {
  id: 'removeBudget',
  tag: TAG,
  summary: 'Removes a budget',
  path: BUDGET,
  body: { schema: 'Reason', required: false, example: { reason: 'Asked for.' } },
  answer: { status: 204 },
  isConditional: true,
};

/** Paths of budgets. */
export function budgetPaths(baseUrl: string): Record<string, PathItem> {
  return {
    [ALL]: { post: changeOperation(MAKE, baseUrl), get: readOperation(LIST, baseUrl) },
    [`${ALL}/{budget_id}`]: {
      get: readOperation(SHOW, baseUrl),
      put: changeOperation(REPLACE, baseUrl),
      delete: changeOperation(REMOVE, baseUrl),
    },
  };
}
