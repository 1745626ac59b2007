import { documentCsv } from '#invoice-rules/csv-rows.js';
import { INVOICES as INVOICE_ROWS } from '#projections/projections/invoices.projection.js';
import { CREDIT_NOTE_COLUMNS, INVOICE_COLUMNS } from './invoice-columns.js';
import { CALL_COLUMNS } from '../usage/usage-columns.js';
import { ok, sending, table } from '../operation/answer.js';
import { exampleOf } from '../operation/examples.js';
import { operationsOf, type OperationRequest, type Resource } from '../operation/operation.js';
import { ACCOUNT_READ } from '../operation/permissions.js';
import { Call } from '../usage/usage.schemas.js';
import {
  CREDIT_NOTES_QUERY,
  INVOICES_QUERY,
  LINE_CALLS_QUERY,
  OF_ALL,
  type OfAll,
} from './invoice-requests.js';
import {
  CreditNote,
  CreditNoteSummary,
  Invoice,
  InvoiceDraft,
  InvoiceSummary,
} from './invoice.schemas.js';
import { Invoices } from './invoices.js';

const FORMATS = ['text/csv', 'application/pdf', 'application/xml'] as const;
const FLAGS = {
  month: '--month <month>',
  test: '--test <true|false>',
} as const;

/** The lists of all accounts do; reads of one account are made from the log and never lag. */
const waitsFor = ({
  account,
  query,
}: Pick<OperationRequest<string, OfAll>, 'account' | 'query'>) =>
  account === null && query.account_id === undefined ? INVOICE_ROWS : null;

const { read } = operationsOf<Invoices>('Invoices');

const list = read({
  id: 'listInvoices',
  path: '/invoices',
  summary: 'Issued invoices, in the order of their numbers, and held ones',
  description:
    'Invoices with their amounts and their state. Those that are held stand behind the others: their ' +
    '`number` is null, and `reasons` lists what has to be corrected. As CSV and without a ' +
    '`limit` the list comes whole. Amounts are integers in minor units.',
  access: ACCOUNT_READ,
  query: INVOICES_QUERY,
  operatorQuery: OF_ALL,
  answer: table(InvoiceSummary, () => INVOICE_COLUMNS),
  waitsFor,
  cli: {
    name: 'invoice list',
    description: 'issued invoices by number',
    example: '--month 2026-11 --status overdue',
    flags: FLAGS,
    columns: [
      'number',
      'month',
      'issue_date',
      'due_date',
      'total',
      'state.due',
      'state.status',
      'account_id',
    ],
  },
  run: (invoices, { account, query }) => ({ view: invoices.list(account, query) }),
});

// Before that of one invoice: `draft` is no number.
const draft = read({
  id: 'getInvoiceDraft',
  path: '/accounts/{account_id}/invoices/draft',
  summary: 'The month so far, as it would be invoiced now',
  description:
    'Lines, taxes and totals of the running month, a forecast of its end, and what a lawful ' +
    'invoice still lacks. Nothing is stored. 409 if the month comes to amounts that no ' +
    'invoice can show.',
  access: ACCOUNT_READ,
  answer: ok(InvoiceDraft),
  problems: ['conflict'],
  cli: {
    name: 'invoice draft',
    description: "an account's month so far, as it would be invoiced now",
    example: 'Acme',
  },
  run: async (invoices, { path }) => ({ view: await invoices.draft(path.account_id) }),
});

const get = read({
  id: 'getInvoice',
  path: '/invoices/{number}',
  summary: 'An invoice with its state, or the bytes of a format',
  description:
    '`{number}` alone returns the invoice with its state, credit notes and payments. With ' +
    '`.json`, `.csv`, `.pdf`, `.xml` (UBL) or `.cii.xml` behind it, or where `Accept` prefers CSV, PDF or ' +
    'XML (UBL), the bytes are returned as they were issued; they never change. A held invoice is found by ' +
    'its id, and has no bytes yet (409).',
  access: ACCOUNT_READ,
  answer: sending(Invoice, FORMATS, {
    'text/csv': documentCsv({ ...exampleOf(Invoice), number: 'INV-000001' }),
  }),
  problems: ['conflict', 'gone'],
  cli: {
    name: 'invoice show',
    description: 'one invoice, with its lines and its state',
    example: 'INV-000001',
  },
  run: async (invoices, { account, path }) => ({ view: await invoices.get(account, path.number) }),
});

const lineCalls = read({
  id: 'listLineCalls',
  path: '/invoices/{number}/lines/{line}/calls',
  summary: 'The exact calls behind a line',
  description:
    'Calls of a line of usage, or calls that a grant covered, oldest first. Their credits add ' +
    'up to those of the line.',
  access: ACCOUNT_READ,
  query: LINE_CALLS_QUERY,
  answer: table(Call, () => CALL_COLUMNS),
  cli: {
    name: 'invoice calls',
    description: 'the exact calls behind a line',
    example: 'INV-000001 1',
    columns: ['call_id', 'at', 'kind', 'credits_used', 'key'],
  },
  run: async (invoices, { account, path: { number, line }, query }) => ({
    view: await invoices.lineCalls(account, number, line, query),
  }),
});

const listCreditNotes = read({
  id: 'listCreditNotes',
  path: '/credit-notes',
  summary: 'Issued credit notes, in the order of their numbers',
  description: 'Issued credit notes. Their amounts are negative integers in minor units.',
  access: ACCOUNT_READ,
  query: CREDIT_NOTES_QUERY,
  operatorQuery: OF_ALL,
  answer: table(CreditNoteSummary, () => CREDIT_NOTE_COLUMNS),
  waitsFor,
  cli: {
    name: 'credit-note list',
    description: 'issued credit notes by number',
    example: '--month 2026-11',
    flags: FLAGS,
    columns: ['number', 'invoice_number', 'issue_date', 'total', 'account_id'],
  },
  run: (invoices, { account, query }) => ({ view: invoices.listCreditNotes(account, query) }),
});

const getCreditNote = read({
  id: 'getCreditNote',
  path: '/credit-notes/{number}',
  summary: 'A credit note, or the bytes of a format',
  description:
    '`{number}` alone returns the credit note. With `.json`, `.csv`, `.pdf`, `.xml` (UBL) or `.cii.xml` ' +
    'behind it, or where `Accept` prefers CSV, PDF or XML (UBL), the bytes are returned as they were ' +
    'issued; they never change.',
  access: ACCOUNT_READ,
  answer: sending(CreditNote, FORMATS, { 'text/csv': documentCsv(exampleOf(CreditNote)) }),
  problems: ['conflict', 'gone'],
  cli: { name: 'credit-note show', description: 'one credit note', example: 'CN-000001' },
  run: async (invoices, { account, path }) => ({
    view: await invoices.getCreditNote(account, path.number),
  }),
});

/** Invoices, credit notes and drafts. */
export const INVOICES: Resource = {
  service: Invoices,
  operations: [list, draft, get, lineCalls, listCreditNotes, getCreditNote],
};
