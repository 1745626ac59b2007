import type { PathItem } from '#web/openapi-document.js';
import { changeOperation, ETAG, readOperation, type Route } from '../../admin/openapi/operation.js';
import {
  AS_OF,
  CALL_FILTERS,
  PAGE,
  USAGE_FILTERS,
  WINDOW_FILTER,
} from '#ledger/read-parameters.js';

const REASON = { schema: 'Reason', required: false, example: { reason: 'Asked for.' } } as const;

const READS = {
  account: {
    id: 'getAccount',
    tag: 'Account',
    summary: 'The account as it stands, or stood',
    query: AS_OF,
    answer: { status: 200, schema: 'Account' },
    headers: { ETag: ETAG },
  },
  windows: {
    id: 'listWindows',
    tag: 'Usage',
    summary: 'What was called in a window',
    query: [...PAGE, ...WINDOW_FILTER, ...AS_OF],
    answer: { status: 200, schema: 'WindowKeyList', csv: true },
  },
  usage: {
    id: 'listUsage',
    tag: 'Usage',
    summary: 'Sums of calls',
    query: [...PAGE, ...USAGE_FILTERS, ...AS_OF],
    answer: { status: 200, schema: 'UsageList', csv: true },
  },
  calls: {
    id: 'listCalls',
    tag: 'Usage',
    summary: 'Calls, oldest first unless asked otherwise',
    query: [...PAGE, ...CALL_FILTERS],
    answer: { status: 200, schema: 'CallList', csv: true },
  },
  call: {
    id: 'explainCall',
    tag: 'Usage',
    summary: 'Why a call cost what it cost',
    path: ['call_id'],
    answer: { status: 200, schema: 'CallExplanation' },
  },
  alerts: {
    id: 'listAlerts',
    tag: 'Budgets',
    summary: 'Thresholds that budgets crossed, and who was told',
    query: PAGE,
    answer: { status: 200, schema: 'AlertList' },
  },
  apiKeys: {
    id: 'listApiKeys',
    tag: 'API keys',
    summary: 'API keys in the order in which they were issued',
    query: PAGE,
    answer: { status: 200, schema: 'ApiKeyList' },
  },
} satisfies Record<string, Route>;

const CHANGES = {
  issueApiKey: {
    id: 'issueApiKey',
    tag: 'API keys',
    summary: 'Makes an API key; it is shown this once',
    body: { schema: 'IssueApiKey', required: true, example: { label: 'Production' } },
    answer: { status: 201, schema: 'IssuedApiKey' },
    isConditional: true,
  },
  revokeApiKey: {
    id: 'revokeApiKey',
    tag: 'API keys',
    summary: 'Revokes an API key at once',
    path: ['key_id'],
    body: REASON,
    answer: { status: 204 },
    isConditional: true,
  },
  rotateApiKey: {
    id: 'rotateApiKey',
    tag: 'API keys',
    summary: 'Makes a new API key in the place of one that ends after a while',
    description: 'The new one has the same label and scopes, and is shown this once.',
    path: ['key_id'],
    body: { schema: 'RotateApiKey', required: true, example: { overlap_hours: 24 } },
    answer: { status: 201, schema: 'IssuedApiKey' },
    isConditional: true,
  },
} satisfies Record<string, Route>;

/** Paths of the account itself, its calls, budgets and API keys. */
export function accountPaths(baseUrl: string): Record<string, PathItem> {
  const read = (name: keyof typeof READS) => readOperation(READS[name], baseUrl);
  const change = (name: keyof typeof CHANGES) => changeOperation(CHANGES[name], baseUrl);
  return {
    '/portal/v1/account': { get: read('account') },
    '/portal/v1/windows': { get: read('windows') },
    '/portal/v1/usage': { get: read('usage') },
    '/portal/v1/calls': { get: read('calls') },
    '/portal/v1/calls/{call_id}': { get: read('call') },
    '/portal/v1/alerts': { get: read('alerts') },
    '/portal/v1/api-keys': { get: read('apiKeys'), post: change('issueApiKey') },
    '/portal/v1/api-keys/{key_id}': { delete: change('revokeApiKey') },
    '/portal/v1/api-keys/{key_id}/rotate': { post: change('rotateApiKey') },
  };
}
