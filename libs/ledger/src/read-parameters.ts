import type { Parameter, Schema } from '#web/openapi-document.js';
import { INVOICE_STATUSES } from './invoice-queries.js';

// What reads of accounts take, in the documents of every server.

const TEXT: Schema = { type: 'string' };

/** A parameter of a query. */
export function queryParameter(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'query', description, schema };
}

/** What every list takes. */
export const PAGE: readonly Parameter[] = [
  queryParameter('after', 'The cursor that `next` of the page before said.', TEXT),
  queryParameter('limit', 'Length of a page.', {
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    default: 100,
  }),
];

/** Filters of the lists of invoices and of credit notes. */
export const MONTH_FILTER: Parameter = {
  ...queryParameter('month', 'Of that month of supply alone.', TEXT),
  example: '2026-11',
};
export const STATUS_FILTER = queryParameter('status', 'In that status alone.', {
  enum: INVOICE_STATUSES,
});

/** Parameters of the paths below invoices and credit notes. */
export const NUMBER: Parameter = {
  name: 'number',
  in: 'path',
  required: true,
  description: 'Number of the document.',
  schema: TEXT,
  example: 'INV-000001',
};
export const NUMBER_OR_FILE: Parameter = {
  ...NUMBER,
  description:
    'Number of the document. With `.json`, `.csv`, `.pdf` or `.xml` behind it: the bytes of that ' +
    'format as they were issued.',
};
export const LINE: Parameter = {
  name: 'line',
  in: 'path',
  required: true,
  description: 'Number of a line of usage, or of one that a grant covered.',
  schema: { type: 'integer', minimum: 1 },
};
