import {
  LINE,
  MONTH_FILTER,
  NUMBER,
  NUMBER_OR_FILE,
  PAGE,
  STATUS_FILTER,
} from '#ledger/read-parameters.js';
import type { PathItem } from '#web/openapi-document.js';
import { freePath } from './account-paths.js';

/** The invoices and credit notes of an API key's holder. */
export function invoicePaths(baseUrl: string): Record<string, PathItem> {
  return {
    '/v1/account/invoices': freePath(baseUrl, {
      operationId: 'listInvoices',
      summary: 'Issued invoices, in the order of their numbers',
      schema: 'InvoicePage',
      parameters: [...PAGE, MONTH_FILTER, STATUS_FILTER],
      table: true,
    }),
    '/v1/account/invoices/draft': freePath(baseUrl, {
      operationId: 'draftInvoice',
      summary: 'The month so far, as it would be invoiced now',
      schema: 'InvoiceDraft',
      refusals: ['conflict'],
    }),
    '/v1/account/invoices/{number}': freePath(baseUrl, {
      operationId: 'readInvoice',
      summary: 'An invoice with its state, or the bytes of a format',
      schema: 'Invoice',
      parameters: [NUMBER_OR_FILE],
      documents: true,
      refusals: ['conflict', 'gone'],
    }),
    '/v1/account/invoices/{number}/lines/{line}/calls': freePath(baseUrl, {
      operationId: 'listLineCalls',
      summary: 'The exact calls behind a line',
      schema: 'CallList',
      parameters: [NUMBER, LINE, ...PAGE],
      table: true,
    }),
    '/v1/account/credit-notes': freePath(baseUrl, {
      operationId: 'listCreditNotes',
      summary: 'Issued credit notes, in the order of their numbers',
      schema: 'CreditNotePage',
      parameters: [...PAGE, MONTH_FILTER],
      table: true,
    }),
    '/v1/account/credit-notes/{number}': freePath(baseUrl, {
      operationId: 'readCreditNote',
      summary: 'A credit note, or the bytes of a format',
      schema: 'CreditNote',
      parameters: [NUMBER_OR_FILE],
      documents: true,
      refusals: ['conflict', 'gone'],
    }),
  };
}
