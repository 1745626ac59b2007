import type { PathItem } from '#web/openapi-document.js';
import { LINE, MONTH, NAME, NUMBER, STATUS } from '../../admin/openapi/invoice-paths.js';
import { readOperation, type Route } from '../../admin/openapi/operation.js';
import { PAGE } from '../../admin/openapi/query-parameters.js';

const TAG = 'Invoices';

const LIST: Route = {
  id: 'listInvoices',
  tag: TAG,
  summary: 'Issued invoices, in the order of their numbers',
  query: [...PAGE, MONTH, STATUS],
  answer: { status: 200, schema: 'InvoiceSummaryList', csv: true },
};

const DRAFT: Route = {
  id: 'draftInvoice',
  tag: TAG,
  summary: 'The month so far, as it would be invoiced now',
  answer: { status: 200, schema: 'InvoiceDraft' },
};

const SHOW: Route = {
  id: 'getInvoice',
  tag: TAG,
  summary: 'An invoice with its state, or the bytes of a format',
  path: [NAME],
  answer: { status: 200, schema: 'Invoice', documents: true },
};

const CALLS: Route = {
  id: 'listLineCalls',
  tag: TAG,
  summary: 'The exact calls behind a line',
  path: [NUMBER, LINE],
  query: PAGE,
  answer: { status: 200, schema: 'CallList', csv: true },
};

const NOTES: Route = {
  id: 'listCreditNotes',
  tag: TAG,
  summary: 'Issued credit notes, in the order of their numbers',
  query: [...PAGE, MONTH],
  answer: { status: 200, schema: 'CreditNoteSummaryList', csv: true },
};

const NOTE: Route = {
  id: 'getCreditNote',
  tag: TAG,
  summary: 'A credit note, or the bytes of a format',
  path: [{ ...NAME, example: 'CN-000001' }],
  answer: { status: 200, schema: 'CreditNote', documents: true },
};

/** Paths of the account's own invoices and credit notes. */
export function invoicePaths(baseUrl: string): Record<string, PathItem> {
  const read = (route: Route): PathItem => ({ get: readOperation(route, baseUrl) });
  const document = (route: Route): PathItem => ({
    get: readOperation(route, baseUrl, ['conflict']),
  });
  return {
    '/portal/v1/invoices': read(LIST),
    '/portal/v1/invoices/draft': read(DRAFT),
    '/portal/v1/invoices/{number}': document(SHOW),
    '/portal/v1/invoices/{number}/lines/{line}/calls': read(CALLS),
    '/portal/v1/credit-notes': read(NOTES),
    '/portal/v1/credit-notes/{number}': document(NOTE),
  };
}
