import { DEFAULT_ACCOUNTS } from '#billing/journal.js';
import type { MediaType, Operation, Parameter, PathItem, Schema } from '#web/openapi-document.js';
import { EXPORT_FORMATS, JOURNAL_PARAMETERS } from '../../exports/export-query.js';
import { readOperation, type Route } from './operation.js';

const TAG = 'Exports';
const TEXT: Schema = { type: 'string' };
const MONTH: Schema = { type: 'string', pattern: '^\\d{4}-\\d{2}$' };

const TEST: Parameter = {
  name: 'test',
  in: 'query',
  description: 'With test accounts, which are left out otherwise.',
  schema: { type: 'boolean', default: false },
};

const CODES: readonly Parameter[] = Object.entries(JOURNAL_PARAMETERS).map(([name, account]) => ({
  name,
  in: 'query',
  description: 'Of `format=journal`: your code of this account.',
  schema: { type: 'string', minLength: 1, maxLength: 40, default: DEFAULT_ACCOUNTS[account] },
}));

const INVOICES: Route = {
  id: 'exportInvoices',
  tag: TAG,
  summary: 'Invoices, credit notes and payments of a month',
  description:
    'By month of supply, or of issue and payment; one of both. It is made while it is sent, of what had ' +
    'been issued as it began; a connection that ends early means that something is missing. `csv`: a ' +
    'row for each line, tax and payment. `jsonl`: a document or payment on each line. `zip`: the ' +
    'issued PDFs, XMLs and JSONs with `manifest.json` and `SHA256SUMS`. `journal`: double entry.',
  query: [
    {
      name: 'month',
      in: 'query',
      description: 'Of supply.',
      schema: MONTH,
      example: '2026-10',
    },
    {
      name: 'issued_month',
      in: 'query',
      description: 'In which invoices and credit notes were issued, and payments made.',
      schema: MONTH,
    },
    {
      name: 'format',
      in: 'query',
      description: 'What is made of them.',
      schema: { enum: EXPORT_FORMATS, default: 'csv' },
    },
    TEST,
    ...CODES,
  ],
  answer: { status: 200 },
};

const LIABILITY: Route = {
  id: 'exportCreditLiability',
  tag: TAG,
  summary: 'What is owed in purchased credits',
  description:
    'For each purchased grant what there was, was sold, used, expired, was voided and is left, in ' +
    'credits and in money: opening + sold − used − expired − voided = closing. `totals`: by currency.',
  query: [
    {
      name: 'month',
      in: 'query',
      required: true,
      description: 'From its first to its last instant.',
      schema: MONTH,
      example: '2026-10',
    },
    TEST,
  ],
  answer: { status: 200, schema: 'CreditLiability', csv: true },
};

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

const FILES: Readonly<Record<string, MediaType>> = {
  'text/csv': { schema: TEXT },
  'application/jsonl': { schema: TEXT },
  'application/zip': { schema: { type: 'string', contentMediaType: 'application/zip' } },
};

/** Files in place of a body of one schema. */
function withFiles(operation: Operation): Operation {
  const { 200: answer, ...problems } = operation.responses;
  if (answer === undefined) throw new Error(`${operation.operationId} answers nothing.`);
  return { ...operation, responses: { 200: { ...answer, content: FILES }, ...problems } };
}

/** Paths of what finance takes over at a month's end. */
export function exportPaths(baseUrl: string): Record<string, PathItem> {
  return {
    '/admin/v1/exports/invoices': { get: withFiles(readOperation(INVOICES, baseUrl)) },
    '/admin/v1/exports/credit-liability': { get: readOperation(LIABILITY, baseUrl) },
    '/admin/v1/accounts/{account_id}/statements/{month}': {
      get: readOperation(STATEMENT, baseUrl),
    },
  };
}
