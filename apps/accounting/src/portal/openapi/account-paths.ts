import type { PathItem } from '#web/openapi-document.js';
import { readOperation, type Route } from '../../admin/openapi/operation.js';
import {
  AS_OF,
  CALL_FILTERS,
  PAGE,
  USAGE_FILTERS,
  WINDOW_FILTER,
} from '#ledger/read-parameters.js';

const READS = {
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
} satisfies Record<string, Route>;

/** Paths of the calls and alerts of the account. */
export function accountPaths(baseUrl: string): Record<string, PathItem> {
  const read = (name: keyof typeof READS) => readOperation(READS[name], baseUrl);
  return {
    '/portal/v1/windows': { get: read('windows') },
    '/portal/v1/usage': { get: read('usage') },
    '/portal/v1/calls': { get: read('calls') },
    '/portal/v1/calls/{call_id}': { get: read('call') },
  };
}
