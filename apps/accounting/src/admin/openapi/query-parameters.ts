import { USAGE_DIMENSIONS } from '#ledger/usage-dimensions.js';
import type { Parameter, Schema } from '#web/openapi-document.js';

function query(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'query', description, schema };
}

const TEXT: Schema = { type: 'string' };

/** What every list takes. */
export const PAGE: readonly Parameter[] = [
  query('after', 'The cursor that `next` of the page before said.', TEXT),
  query('limit', 'Length of a page.', {
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    default: 100,
  }),
];

/** Filters of the list of accounts. */
export const ACCOUNT_FILTERS: readonly Parameter[] = [
  query('test', 'Test accounts alone, or none of them; all accounts unless given.', {
    type: 'boolean',
  }),
  query('search', 'A part of the name, in any case, or the beginning of the id.', {
    type: 'string',
    minLength: 1,
    maxLength: 200,
  }),
  query('status', 'Accounts in that status alone.', {
    enum: ['active', 'suspended', 'closed'],
  }),
];

/** What an account and its sums are asked as of. */
export const AS_OF: readonly Parameter[] = [
  query(
    'as_of',
    'What had happened, and fallen due, by that moment of the account: RFC 3339, or a date for its first instant.',
    TEXT,
  ),
];

/** Filter of the list of keys called in a window. */
export const WINDOW_FILTER: readonly Parameter[] = [
  query('window', 'Label of a window; the running one when it is missing or `latest`.', TEXT),
];

const BETWEEN: readonly Parameter[] = [
  query('from', 'Calls from that moment on: RFC 3339, or a date for its first instant.', TEXT),
  query('to', 'Calls before that moment.', TEXT),
];

/** What sums of calls are made of. */
export const USAGE_FILTERS: readonly Parameter[] = [
  ...BETWEEN,
  query(
    'by',
    `What sums are grouped by, separated by commas; without it there is one sum of all: ${USAGE_DIMENSIONS.join(', ')}.`,
    TEXT,
  ),
];

/** Filters of the list of calls. */
export const CALL_FILTERS: readonly Parameter[] = [
  query('order', 'Oldest or newest first.', { enum: ['asc', 'desc'], default: 'asc' }),
  ...BETWEEN,
  query('resource_key', 'Calls of that key alone.', TEXT),
  query('kind', 'Calls of that kind alone.', { enum: ['base', 'repeat'] }),
  query('api_key_id', 'Calls with that API key alone.', { type: 'string', format: 'uuid' }),
  query('tag', 'Calls with that tag: its name, or `name=value`.', TEXT),
];
