import type { Parameter, PathItem, Schema } from '#web/openapi-document.js';
import { readOperation, type Route } from './operation.js';

const TAG = 'Exports';
const MONTH: Schema = { type: 'string', pattern: '^\\d{4}-\\d{2}$' };

/** The month of a statement, in its path. */
export const STATEMENT_MONTH: Parameter = {
  name: 'month',
  in: 'path',
  required: true,
  description: 'A month in which the account was there.',
  schema: MONTH,
  example: '2026-10',
};

export const STATEMENT: Route = {
  id: 'getStatement',
  tag: TAG,
  summary: 'A month of an account in credits',
  description:
    'Its holder reads the same. Of a month that is not closed: as far as it has come, without a head.',
  path: ['account_id', STATEMENT_MONTH],
  answer: { status: 200, schema: 'Statement', csv: true },
};

/** Paths of statements. */
export function exportPaths(baseUrl: string): Record<string, PathItem> {
  return {
    '/admin/v1/accounts/{account_id}/statements/{month}': {
      get: readOperation(STATEMENT, baseUrl),
    },
  };
}
