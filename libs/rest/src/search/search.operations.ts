import { page } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { STAFF_READ } from '../operation/permissions.js';
import { Search } from './search.js';
import { SearchHit, SearchQuery } from './search.schemas.js';

const { read } = operationsOf<Search>('Accounts');

const search = read({
  id: 'listFound',
  path: '/search',
  summary: 'Finds accounts, people, API keys, calls and documents',
  description:
    'Looks where an index leads: names and addresses as they are now, ids, numbers, ends of API keys. ' +
    'At most ten of each kind, accounts first; `next` is always null. Use it where the kind is not ' +
    'known; lists have filters of their own.',
  access: STAFF_READ,
  query: SearchQuery,
  answer: page(SearchHit),
  cli: {
    name: 'search',
    description: 'accounts, people, API keys, calls and documents',
    example: 'nails',
    arguments: ['q'],
    columns: ['type', 'text', 'detail', 'account_name', 'id'],
  },
  run: async (found, { query }) => ({ view: { items: await found.search(query.q), next: null } }),
});

/** One search over everything. */
export const SEARCH: Resource = { service: Search, operations: [search] };
