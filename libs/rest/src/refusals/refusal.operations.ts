import { page } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { ACCOUNT_READ, STAFF_READ } from '../operation/permissions.js';
import { refusalQuery } from './refusal-query.js';
import { RefusedCall } from './refusal.schemas.js';
import { Refusals } from './refusals.js';

const { read } = operationsOf<Refusals>('Usage');

const KEPT =
  'Newest first: one item for each hour, API key, reason and URL, with how often it happened. The newest 1,000 ' +
  'items of an account are kept; they appear within two seconds and are free. A process that is ' +
  'killed loses what it had not written yet.';

const own = read({
  id: 'listRefusals',
  path: '/accounts/{account_id}/refusals',
  summary: 'Calls that were refused with 402, 403 or 429',
  description: KEPT,
  access: ACCOUNT_READ,
  query: refusalQuery,
  answer: page(RefusedCall),
  cli: {
    name: 'refusal list',
    description: 'calls of an account that were refused',
    example: 'Acme --code out-of-credits',
    columns: ['at', 'times', 'status', 'code', 'path'],
  },
  run: async (refusals, { path, query }) => ({ view: await refusals.list(path.account_id, query) }),
});

const all = read({
  id: 'listAllRefusals',
  path: '/refused-calls',
  summary: 'Refused calls of all accounts',
  description: KEPT,
  access: STAFF_READ,
  query: refusalQuery,
  answer: page(RefusedCall),
  cli: {
    name: 'refusal all',
    description: 'refused calls of all accounts, the newest first',
    example: '--limit 20',
    columns: ['at', 'account_name', 'times', 'status', 'code', 'path'],
  },
  run: async (refusals, { query }) => ({ view: await refusals.ofAll(query) }),
});

/** Calls that were refused. */
export const REFUSALS: Resource = { service: Refusals, operations: [own, all] };
