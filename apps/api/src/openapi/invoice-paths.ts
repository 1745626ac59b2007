import type { Parameter, PathItem } from '#web/openapi-document.js';
import { freePath, PAGE } from './account-paths.js';

const NUMBER: Parameter = {
  name: 'number',
  in: 'path',
  required: true,
  description: 'Number of the document.',
  schema: { type: 'string' },
  example: 'INV-000001',
};
const NAME: Parameter = {
  ...NUMBER,
  description:
    'Number of the document. With `.json`, `.csv`, `.pdf` or `.xml` behind it: the bytes of that ' +
    'format as they were issued.',
};
const LINE: Parameter = {
  name: 'line',
  in: 'path',
  required: true,
  description: 'Number of a line of usage, or of one that a grant covered.',
  schema: { type: 'integer', minimum: 1 },
};
const MONTH: Parameter = {
  name: 'month',
  in: 'query',
  description: 'Of that month of supply only.',
  schema: { type: 'string' },
};
const STATUS: Parameter = {
  name: 'status',
  in: 'query',
  description: 'In that status only.',
  schema: { type: 'string', enum: ['issued', 'partly_paid', 'paid', 'overdue', 'credited'] },
};

/** The invoices and credit notes of an API key's holder. */
export function invoicePaths(baseUrl: string): Record<string, PathItem> {
  return {
    '/v1/account/invoices': freePath(baseUrl, {
      operationId: 'listInvoices',
      summary: 'Issued invoices, in the order of their numbers',
      schema: 'InvoicePage',
      parameters: [...PAGE, MONTH, STATUS],
      table: true,
    }),
    '/v1/account/invoices/draft': freePath(baseUrl, {
      operationId: 'draftInvoice',
      summary: 'The month so far, as it would be invoiced now',
      schema: 'InvoiceDraft',
    }),
    '/v1/account/invoices/{number}': freePath(baseUrl, {
      operationId: 'readInvoice',
      summary: 'An invoice with its state, or the bytes of a format',
      schema: 'Invoice',
      parameters: [NAME],
      documents: true,
    }),
    '/v1/account/invoices/{number}/lines/{line}/calls': freePath(baseUrl, {
      operationId: 'listLineCalls',
      summary: 'The exact calls behind a line',
      schema: 'CallPage',
      parameters: [NUMBER, LINE, ...PAGE],
      table: true,
    }),
    '/v1/account/credit-notes': freePath(baseUrl, {
      operationId: 'listCreditNotes',
      summary: 'Issued credit notes, in the order of their numbers',
      schema: 'CreditNotePage',
      parameters: [...PAGE, MONTH],
      table: true,
    }),
    '/v1/account/credit-notes/{number}': freePath(baseUrl, {
      operationId: 'readCreditNote',
      summary: 'A credit note, or the bytes of a format',
      schema: 'CreditNote',
      parameters: [NAME],
      documents: true,
    }),
  };
}
