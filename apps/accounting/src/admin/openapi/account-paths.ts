import {
  AS_OF,
  CALL_FILTERS,
  PAGE,
  queryParameter,
  USAGE_FILTERS,
  WINDOW_FILTER,
} from '#ledger/read-parameters.js';
import type { Header, Parameter, PathItem } from '#web/openapi-document.js';
import { changeOperation, ETAG, readOperation, type Route } from './operation.js';

const ONE = '/admin/v1/accounts/{account_id}';
const ACCOUNT = ['account_id'] as const;
const LAG: Header = {
  description: 'Events of the log that the list may not show yet; absent when there are none.',
  schema: { type: 'integer', minimum: 1 },
};
const LOCATION: Header = {
  description: 'Address of the account.',
  required: true,
  schema: { type: 'string', format: 'uri-reference' },
};

const ACCOUNT_FILTERS: readonly Parameter[] = [
  queryParameter('test', 'Test accounts alone, or none of them; all accounts unless given.', {
    type: 'boolean',
  }),
  queryParameter('search', 'A part of the name, in any case, or the beginning of the id.', {
    type: 'string',
    minLength: 1,
    maxLength: 200,
  }),
  queryParameter('status', 'Accounts in that status alone.', {
    enum: ['active', 'suspended', 'closed'],
  }),
];

const OPEN: Route = {
  id: 'openAccount',
  tag: 'Accounts',
  summary: 'Opens an account',
  body: { schema: 'OpenAccount', required: true, example: { name: 'Nails & Co', currency: 'EUR' } },
  answer: { status: 201, schema: 'Account' },
  headers: { Location: LOCATION },
};

const LIST: Route = {
  id: 'listAccounts',
  tag: 'Accounts',
  summary: 'All accounts, by id',
  description:
    'Waits up to two seconds until it can show all that was written before it was asked for. A page ' +
    'is found by an index; a filter looks at account after account until the page is full, so one ' +
    'that hardly any account meets costs a look at all of them.',
  query: [...PAGE, ...ACCOUNT_FILTERS],
  answer: { status: 200, schema: 'AccountList' },
  headers: { 'Projection-Lag': LAG },
};

const SHOW: Route = {
  id: 'getAccount',
  tag: 'Accounts',
  summary: 'One account as it stands, or stood',
  path: ACCOUNT,
  query: AS_OF,
  answer: { status: 200, schema: 'Account' },
  headers: { ETag: ETAG },
};

const CHANGE: Route = {
  id: 'changeAccount',
  tag: 'Accounts',
  summary: 'Changes the terms of an account',
  description:
    'What is absent stays as it is. A plan is in force from the next month on. A retry is answered ' +
    'with the account as it stands.',
  path: ACCOUNT,
  body: {
    schema: 'ChangeAccount',
    required: true,
    example: { overdraft_credits: 50_000, reason: 'Agreed by phone.' },
  },
  answer: { status: 200, schema: 'Account' },
  headers: { ETag: ETAG },
  isConditional: true,
};

const ERASE: Route = {
  id: 'eraseAccount',
  tag: 'Accounts',
  summary: 'Erases all names and texts of a closed account',
  description:
    'For ever. Credits, calls and the log stay. Doing it again changes nothing. Refused while a ' +
    'month has something to bill and no invoice.',
  path: ACCOUNT,
  body: { schema: 'Reason', required: false, example: { reason: 'Asked for by the customer.' } },
  answer: { status: 200, schema: 'ErasedAccount' },
  headers: { ETag: ETAG },
};

function setStatus(id: string, summary: string): Route {
  return {
    id,
    tag: 'Accounts',
    summary,
    description:
      'Doing it again changes nothing. A retry is answered with the account as it stands.',
    path: ACCOUNT,
    body: { schema: 'Reason', required: false, example: { reason: 'Unpaid since October.' } },
    answer: { status: 200, schema: 'Account' },
    headers: { ETag: ETAG },
  };
}

const MOVE: Route = {
  id: 'moveTestClock',
  tag: 'Accounts',
  summary: 'Moves the clock of a test account',
  description:
    'Forward only, at most 400 days a step. Answered when all has happened that became due.',
  path: ACCOUNT,
  body: { schema: 'MoveTestClock', required: true, example: { now: '2026-12-01T00:00:00Z' } },
  answer: { status: 200, schema: 'Account' },
  headers: { ETag: ETAG },
};

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

/** Paths of accounts themselves and of what they called. */
export function accountPaths(baseUrl: string): Record<string, PathItem> {
  const read = (route: Route) => readOperation(route, baseUrl);
  const change = (route: Route) => changeOperation(route, baseUrl);
  const suspend = setStatus('suspendAccount', 'Refuses all calls of an account');
  const resume = setStatus('resumeAccount', 'Takes calls of a suspended account again');
  const close = setStatus(
    'closeAccount',
    'Ends an account for ever, with its API keys, portal sessions and webhooks',
  );
  return {
    '/admin/v1/accounts': { post: change(OPEN), get: read(LIST) },
    [ONE]: { get: read(SHOW), patch: change(CHANGE) },
    [`${ONE}/suspend`]: { post: change(suspend) },
    [`${ONE}/resume`]: { post: change(resume) },
    [`${ONE}/close`]: { post: change(close) },
    [`${ONE}/erase`]: { post: change(ERASE) },
    [`${ONE}/test-clock`]: { post: change(MOVE) },
    [`${ONE}/windows`]: { get: read(WINDOWS) },
    [`${ONE}/usage`]: { get: read(USAGE) },
    [`${ONE}/grants/{grant_id}/calls`]: { get: read(GRANT_CALLS) },
    [`${ONE}/calls`]: { get: read(CALLS) },
    [`${ONE}/events`]: { get: read(EVENTS) },
    '/admin/v1/calls/{call_id}': { get: read(CALL) },
  };
}
