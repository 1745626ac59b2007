import type { Header, Parameter, PathItem } from '#web/openapi-document.js';
import { changeOperation, ETAG, readOperation, type Route } from './operation.js';
import { PAGE } from './query-parameters.js';

const TAG = 'Invoices';
export const NUMBER: Parameter = {
  name: 'number',
  in: 'path',
  required: true,
  description: 'Number of the document.',
  schema: { type: 'string' },
  example: 'INV-000001',
};
export const NAME: Parameter = {
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
export const MONTH: Parameter = {
  name: 'month',
  in: 'query',
  description: 'Of that month of supply alone.',
  schema: { type: 'string' },
  example: '2026-11',
};
export const STATUS: Parameter = {
  name: 'status',
  in: 'query',
  description: 'In that status alone.',
  schema: { enum: ['issued', 'partly_paid', 'paid', 'overdue', 'credited'] },
};
const OF_ALL: readonly Parameter[] = [
  ...PAGE,
  MONTH,
  {
    name: 'account_id',
    in: 'query',
    description: 'Of that account alone.',
    schema: { type: 'string', format: 'uuid' },
  },
  {
    name: 'test',
    in: 'query',
    description: 'Of test accounts alone, or none of them; all unless given.',
    schema: { type: 'boolean' },
  },
];
const LAG: Header = {
  description: 'Events of the log that may be missing, where there are any.',
  schema: { type: 'integer' },
};
const LOCATION: Header = {
  description: 'Address of the credit note.',
  required: true,
  schema: { type: 'string', format: 'uri-reference' },
};

const RUN: Route = {
  id: 'runInvoices',
  tag: TAG,
  summary: 'Issues what is due of a month',
  description:
    'Invoices are issued by themselves once a month has ended; this does at once what is due, test ' +
    'accounts included. Running it twice issues nothing twice.',
  body: { schema: 'RunInvoices', required: true, example: { month: '2026-10' } },
  answer: { status: 200, schema: 'InvoiceRun' },
};

const LIST: Route = {
  id: 'listInvoices',
  tag: TAG,
  summary: 'Issued invoices, in the order of their numbers',
  query: [...OF_ALL, STATUS],
  answer: { status: 200, schema: 'InvoiceSummaryList', csv: true },
  headers: { 'Projection-Lag': LAG },
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

const DRAFT: Route = {
  id: 'draftInvoice',
  tag: TAG,
  summary: 'The month so far, as it would be invoiced now',
  path: ['account_id'],
  answer: { status: 200, schema: 'InvoiceDraft' },
};

const VOID: Route = {
  id: 'voidInvoice',
  tag: TAG,
  summary: 'Takes back all that is left of an invoice',
  path: [NUMBER],
  body: { schema: 'Reason', required: false, example: { reason: 'Sent to the wrong company.' } },
  answer: { status: 201, schema: 'CreditNote' },
  headers: { Location: LOCATION },
};

const CREDIT: Route = {
  id: 'creditInvoice',
  tag: TAG,
  summary: 'Takes back a part of an invoice',
  description:
    'All that is left of it, or parts of lines (net amounts, or credits of the overage), or calls. ' +
    'Never more than is left, and of a call once.',
  path: [NUMBER],
  body: {
    schema: 'CreditInvoice',
    required: true,
    example: { reason: 'Agreed by phone.', lines: [{ line: 4, amount: 1200 }] },
  },
  answer: { status: 201, schema: 'CreditNote' },
  headers: { Location: LOCATION },
};

const PAY: Route = {
  id: 'recordPayment',
  tag: TAG,
  summary: 'Records what was paid of an invoice',
  description: 'At most what is due; below 0, what was overpaid is paid back.',
  path: [NUMBER],
  body: {
    schema: 'RecordPayment',
    required: true,
    example: { amount: 79_343, date: '2026-11-12', reference: 'INV-000001' },
  },
  answer: { status: 201, schema: 'Payment' },
};

const NOTES: Route = {
  id: 'listCreditNotes',
  tag: TAG,
  summary: 'Issued credit notes, in the order of their numbers',
  query: OF_ALL,
  answer: { status: 200, schema: 'CreditNoteSummaryList', csv: true },
  headers: { 'Projection-Lag': LAG },
};

const NOTE: Route = {
  id: 'getCreditNote',
  tag: TAG,
  summary: 'A credit note, or the bytes of a format',
  path: [{ ...NAME, example: 'CN-000001' }],
  answer: { status: 200, schema: 'CreditNote', documents: true },
};

const ADDRESS = { line1: 'Ring 1', city: 'Wien', postcode: '1010', country: 'AT' };

const SELLER: Route = {
  id: 'getSeller',
  tag: TAG,
  summary: 'Who sends invoices',
  answer: { status: 200, schema: 'Seller' },
  headers: { ETag: ETAG },
};

const SET_SELLER: Route = {
  id: 'setSeller',
  tag: TAG,
  summary: 'Says anew who sends invoices',
  description: 'What was issued stays as it is.',
  body: {
    schema: 'SetSeller',
    required: true,
    example: {
      name: 'Index GmbH',
      address: ADDRESS,
      vat_id: 'ATU12345678',
      email: 'billing@index.example',
      iban: 'AT611904300234573201',
    },
  },
  answer: { status: 200, schema: 'Seller' },
  headers: { ETag: ETAG },
  isConditional: true,
};

const BUYER: Route = {
  id: 'getBillingDetails',
  tag: TAG,
  summary: 'Whom the invoices of an account are addressed to',
  path: ['account_id'],
  answer: { status: 200, schema: 'Buyer' },
  headers: { ETag: ETAG },
};

const SET_BUYER: Route = {
  id: 'setBillingDetails',
  tag: TAG,
  summary: 'Says anew whom the invoices of an account are addressed to',
  description: 'What was issued stays as it is.',
  path: ['account_id'],
  body: {
    schema: 'SetBuyer',
    required: true,
    example: { name: 'Nails & Co', address: ADDRESS, email: 'accounts@nails.example' },
  },
  answer: { status: 200, schema: 'Buyer' },
  headers: { ETag: ETAG },
};

/** Paths of invoices, what becomes of them, and their parties. */
export function invoicePaths(baseUrl: string): Record<string, PathItem> {
  const read = (route: Route): PathItem => ({ get: readOperation(route, baseUrl) });
  const change = (route: Route): PathItem => ({ post: changeOperation(route, baseUrl) });
  const document = (route: Route): PathItem => ({
    get: readOperation(route, baseUrl, ['conflict']),
  });
  return {
    '/admin/v1/invoice-runs': change(RUN),
    '/admin/v1/invoices': read(LIST),
    '/admin/v1/invoices/{number}': document(SHOW),
    '/admin/v1/invoices/{number}/lines/{line}/calls': read(CALLS),
    '/admin/v1/invoices/{number}/void': change(VOID),
    '/admin/v1/invoices/{number}/credit-notes': change(CREDIT),
    '/admin/v1/invoices/{number}/payments': change(PAY),
    '/admin/v1/credit-notes': read(NOTES),
    '/admin/v1/credit-notes/{number}': document(NOTE),
    '/admin/v1/accounts/{account_id}/invoices/draft': read(DRAFT),
    '/admin/v1/seller': {
      get: readOperation(SELLER, baseUrl),
      put: changeOperation(SET_SELLER, baseUrl),
    },
    '/admin/v1/accounts/{account_id}/billing': {
      get: readOperation(BUYER, baseUrl),
      put: changeOperation(SET_BUYER, baseUrl),
    },
  };
}
