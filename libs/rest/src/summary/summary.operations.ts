import { INVOICES as INVOICE_ROWS } from '#projections/projections/invoices.projection.js';
import { ok } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { STAFF_READ } from '../operation/permissions.js';
import { Summaries } from './summaries.js';
import { Summary } from './summary.schemas.js';

const { read } = operationsOf<Summaries>('System');

const summary = read({
  id: 'getSummary',
  path: '/summary',
  summary: 'What an operator looks at first: money, changes, refusals',
  description:
    'Issued, paid and overdue by currency, held invoices, the accounts whose spending has changed ' +
    'most between the same whole days of the last two windows, and the refused calls of a day. ' +
    'Test accounts are left out of the money and the changes, unless there are no others (`test`). ' +
    'It is read from rows, at most once in half a minute: `at` says when.',
  access: STAFF_READ,
  answer: ok(Summary),
  waitsFor: () => INVOICE_ROWS,
  cli: {
    name: 'summary show',
    description: 'money, changes and refusals of all customers',
    example: '--json',
  },
  run: async (summaries) => ({ view: await summaries.summary() }),
});

/** Figures about all customers. */
export const SUMMARY: Resource = { service: Summaries, operations: [summary] };
