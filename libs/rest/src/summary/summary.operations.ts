import { INVOICES as INVOICE_ROWS } from '#projections/projections/invoices.projection.js';
import { ok } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { STAFF_READ } from '../operation/permissions.js';
import { Summaries } from './summaries.js';
import { Summary, SummaryQuery } from './summary.schemas.js';

const { read } = operationsOf<Summaries>('System');

const summary = read({
  id: 'getSummary',
  path: '/summary',
  summary: 'What an operator looks at first: what is to do, money, credits, changes',
  description:
    'Held and overdue invoices, open disputes, accounts without credits, and the refused calls of a ' +
    'day; money by currency, credits sold, used and left, and the accounts whose spending has ' +
    'changed most between the same whole days of the last two windows. Customers and test accounts ' +
    'are never added up together (`test`). It is read at most once in half a minute: `at` says when.',
  access: STAFF_READ,
  query: SummaryQuery,
  answer: ok(Summary),
  waitsFor: () => INVOICE_ROWS,
  cli: {
    name: 'summary show',
    description: 'what is to do, money, credits and changes of all customers',
    example: '--json',
    flags: { test: '--test <true|false>' },
  },
  run: async (summaries, { query: { test } }) => ({
    view: await summaries.summary(test === undefined ? null : test === 'true'),
  }),
});

/** Figures about all customers. */
export const SUMMARY: Resource = { service: Summaries, operations: [summary] };
