import type { Parameter, Schema } from '#web/openapi-document.js';
import { WINDOW_ORDERS } from './account-reads.js';
import { INVOICE_STATUSES } from './invoice-queries.js';
import { USAGE_DIMENSIONS } from './usage-dimensions.js';

// What reads of accounts take, in the documents of every server.

const TEXT: Schema = { type: 'string' };
const MOMENT = 'RFC 3339, or a date for its first instant in the billing time zone';

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

/** What an account and its sums are asked as of. */
export const AS_OF: readonly [Parameter] = [
  queryParameter(
    'as_of',
    `What had happened, and fallen due, by that moment of the account: ${MOMENT}.`,
    TEXT,
  ),
];

/** Filter of the list of keys called in a window. */
export const WINDOW_FILTER: readonly Parameter[] = [
  queryParameter(
    'window',
    'Label of a window; the running one when it is missing or `latest`.',
    TEXT,
  ),
  queryParameter('order', 'By key, or those that cost most first.', {
    enum: WINDOW_ORDERS,
    default: 'key',
  }),
];

const BETWEEN: readonly Parameter[] = [
  queryParameter('from', `Calls from that moment on: ${MOMENT}.`, TEXT),
  queryParameter('to', `Calls before that moment: ${MOMENT}.`, TEXT),
];

/** What sums of calls are made of. */
export const USAGE_FILTERS: readonly Parameter[] = [
  ...BETWEEN,
  queryParameter(
    'by',
    `What sums are grouped by, separated by commas; without it there is one sum of all: ${USAGE_DIMENSIONS.join(', ')}.`,
    TEXT,
  ),
];

/** Filters of the list of calls. */
export const CALL_FILTERS: readonly Parameter[] = [
  queryParameter('order', 'Oldest or newest first.', { enum: ['asc', 'desc'], default: 'asc' }),
  ...BETWEEN,
  queryParameter('resource_key', 'Calls of that key alone, with the label of its week.', TEXT),
  queryParameter('kind', 'Calls of that kind alone.', { enum: ['base', 'repeat'] }),
  queryParameter('api_key_id', 'Calls with that API key alone.', {
    type: 'string',
    format: 'uuid',
  }),
  queryParameter('tag', 'Calls with that tag: its name, or `name=value`.', TEXT),
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
