import {
  AS_OF,
  CALL_FILTERS,
  PAGE,
  USAGE_FILTERS,
  WINDOW_FILTER,
} from '#ledger/read-parameters.js';
import type { PathItem } from '#web/openapi-document.js';
import { readOperation, type Route } from './operation.js';

const ONE = '/admin/v1/accounts/{account_id}';
const ACCOUNT = ['account_id'] as const;
const WINDOWS: Route = {
  id: 'listWindows',
  tag: 'Usage',
  summary: 'State of each key called in a window',
  path: ACCOUNT,
  query: [...PAGE, ...WINDOW_FILTER, ...AS_OF],
  answer: { status: 200, schema: 'WindowKeyList', csv: true },
};

const USAGE: Route = {
  id: 'sumUsage',
  tag: 'Usage',
  summary: 'Sums of calls by what they are grouped by',
  path: ACCOUNT,
  query: [...PAGE, ...USAGE_FILTERS, ...AS_OF],
  answer: { status: 200, schema: 'UsageList', csv: true },
};

const GRANT_CALLS: Route = {
  id: 'listGrantCalls',
  tag: 'Usage',
  summary: 'Calls that drew on a grant',
  path: ['account_id', 'grant_id'],
  query: [...PAGE, ...CALL_FILTERS],
  answer: { status: 200, schema: 'GrantCallList', csv: true },
};

const CALLS: Route = {
  id: 'listCalls',
  tag: 'Usage',
  summary: 'Calls of an account',
  description:
    'As CSV and without a `limit` all of them; a connection that ends early means that rows are missing.',
  path: ACCOUNT,
  query: [...PAGE, ...CALL_FILTERS],
  answer: { status: 200, schema: 'CallList', csv: true },
};

const EVENTS: Route = {
  id: 'listEvents',
  tag: 'Usage',
  summary: 'The raw log of an account',
  path: ACCOUNT,
  query: PAGE,
  answer: { status: 200, schema: 'EventList' },
};

const CALL: Route = {
  id: 'explainCall',
  tag: 'Usage',
  summary: 'Why a call cost what it cost',
  path: ['call_id'],
  answer: { status: 200, schema: 'CallExplanation' },
};

/** Paths of what accounts called. */
export function accountPaths(baseUrl: string): Record<string, PathItem> {
  const read = (route: Route) => readOperation(route, baseUrl);
  return {
    [`${ONE}/windows`]: { get: read(WINDOWS) },
    [`${ONE}/usage`]: { get: read(USAGE) },
    [`${ONE}/grants/{grant_id}/calls`]: { get: read(GRANT_CALLS) },
    [`${ONE}/calls`]: { get: read(CALLS) },
    [`${ONE}/events`]: { get: read(EVENTS) },
    '/admin/v1/calls/{call_id}': { get: read(CALL) },
  };
}
