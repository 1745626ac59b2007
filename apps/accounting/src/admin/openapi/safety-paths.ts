import type { Parameter, PathItem } from '#web/openapi-document.js';
import { changeOperation, readOperation, type Route } from './operation.js';
import { PAGE } from '#ledger/read-parameters.js';

const TAG = 'Safety';
const MOMENT = { type: 'string' } as const;

const ISSUE: Route = {
  id: 'issueAdminToken',
  tag: TAG,
  summary: 'Issues an admin token of one role',
  description: 'The token is shown this once; only its SHA-256 is kept.',
  body: {
    schema: 'IssueAdminToken',
    required: true,
    example: { name: 'Billing run', role: 'billing', expires_at: '2027-11-24T00:00:00Z' },
  },
  answer: { status: 201, schema: 'NewAdminToken' },
};

const LIST: Route = {
  id: 'listAdminTokens',
  tag: TAG,
  summary: 'Admin tokens in the order in which they were issued, also those that are revoked',
  description: 'The one that the service was started with, ADMIN_TOKEN, is not among them.',
  query: PAGE,
  answer: { status: 200, schema: 'AdminTokenList' },
};

const REVOKE: Route = {
  id: 'revokeAdminToken',
  tag: TAG,
  summary: 'Revokes an admin token at once',
  description:
    'It opens nothing any more, in no process. Doing it again changes nothing. ADMIN_TOKEN cannot ' +
    'be revoked here.',
  path: ['token_id'],
  body: { schema: 'Reason', required: false, example: { reason: 'The laptop was lost.' } },
  answer: { status: 204 },
};

const FILTERS: readonly Parameter[] = [
  {
    name: 'by',
    in: 'query',
    description: 'Changes with that admin token alone: its id, `owner` or `system`.',
    schema: { type: 'string' },
  },
  {
    name: 'account_id',
    in: 'query',
    description: 'Changes of that account alone.',
    schema: { type: 'string', format: 'uuid' },
  },
  {
    name: 'from',
    in: 'query',
    description: 'Changes from that moment on: RFC 3339, or a date for its first instant.',
    schema: MOMENT,
  },
  { name: 'to', in: 'query', description: 'Changes before that moment.', schema: MOMENT },
  {
    name: 'order',
    in: 'query',
    description: 'Oldest or newest first.',
    schema: { enum: ['asc', 'desc'], default: 'asc' },
  },
];

const AUDIT: Route = {
  id: 'listAudit',
  tag: TAG,
  summary: 'Who changed what, when and why, and who signed in',
  description:
    'Every event that somebody asked for, and every event of the service itself; no calls. And ' +
    'sign-ins, failed ones and denied roles of 90 days: one entry for each minute, address and ' +
    'subject. As CSV without a limit it comes whole.',
  query: [...PAGE, ...FILTERS],
  answer: { status: 200, schema: 'AuditEntryList', csv: true },
  headers: {
    'Projection-Lag': {
      description: 'Events of the log that may be missing, where there are any.',
      schema: { type: 'integer' },
    },
  },
};

/** Paths of admin tokens and of what was done with them. */
export function safetyPaths(baseUrl: string): Record<string, PathItem> {
  return {
    '/admin/v1/admin-tokens': {
      post: changeOperation(ISSUE, baseUrl),
      get: readOperation(LIST, baseUrl),
    },
    '/admin/v1/admin-tokens/{token_id}': { delete: changeOperation(REVOKE, baseUrl) },
    '/admin/v1/audit': { get: readOperation(AUDIT, baseUrl) },
  };
}
