import {
  LINE,
  MONTH_FILTER,
  NUMBER,
  NUMBER_OR_FILE,
  PAGE,
  STATUS_FILTER,
} from '#ledger/read-parameters.js';
import type { Header, Operation, Parameter, PathItem } from '#web/openapi-document.js';
import {
  changeOperation,
  OWN_ETAG,
  readOperation,
  startOperation,
  type Route,
} from './operation.js';

const TAG = 'Invoices';
const OF_ALL: readonly Parameter[] = [
  ...PAGE,
  MONTH_FILTER,
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
    'accounts included. Running it twice issues nothing twice. One that takes long answers 202, goes ' +
    'on whatever falls, and can be asked after.',
  body: { schema: 'RunInvoices', required: true, example: { month: '2026-10' } },
  answer: { status: 200, schema: 'InvoiceRun' },
};

const SHOW_RUN: Route = {
  id: 'getInvoiceRun',
  tag: TAG,
  summary: 'A run, as far as it is',
  path: ['run_id'],
  answer: { status: 200, schema: 'InvoiceRun' },
};

export const LIST_INVOICES: Route = {
  id: 'listInvoices',
  tag: TAG,
  summary: 'Issued invoices, in the order of their numbers',
  query: [...OF_ALL, STATUS_FILTER],
  answer: { status: 200, schema: 'InvoiceSummaryList', csv: true },
  headers: { 'Projection-Lag': LAG },
};

export const SHOW_INVOICE: Route = {
  id: 'getInvoice',
  tag: TAG,
  summary: 'An invoice with its state, or the bytes of a format',
  path: [NUMBER_OR_FILE],
  answer: { status: 200, schema: 'Invoice', documents: true },
};

export const LINE_CALLS: Route = {
  id: 'listLineCalls',
  tag: TAG,
  summary: 'The exact calls behind a line',
  path: [NUMBER, LINE],
  query: PAGE,
  answer: { status: 200, schema: 'CallList', csv: true },
};

export const DRAFT_INVOICE: Route = {
  id: 'draftInvoice',
  tag: TAG,
  summary: 'The month so far, as it would be invoiced now',
  description: 'Answers 409 where the month comes to amounts that no invoice can show.',
  path: ['account_id'],
  answer: { status: 200, schema: 'InvoiceDraft' },
};

const VOID: Route = {
  id: 'voidInvoice',
  tag: TAG,
  summary: 'Takes back all that is left of an invoice',
  description:
    'By a credit note. Credits that the invoice sold stay usable: to take them back too, void their grant.',
  path: [NUMBER],
  body: { schema: 'Reason', required: false, example: { reason: 'Sent to the wrong company.' } },
  answer: { status: 201, schema: 'CreditNote' },
  headers: { Location: LOCATION },
};

const CREDIT: Route = {
  id: 'creditInvoice',
  tag: TAG,
  summary: 'Takes back all that is left of an invoice, or parts of it',
  description:
    'All that is left of it where neither lines nor calls are named; else parts of lines (net amounts, ' +
    'or credits of the overage), or calls. Never more than is left, and of a call once. It gives back ' +
    'money and no credits: to take purchased credits back too, void their grant.',
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
  description:
    'At most what is due. Below 0 it takes back what was recorded as paid: a payment that bounced or was ' +
    'booked wrongly, or what was overpaid and is paid back.',
  path: [NUMBER],
  body: {
    schema: 'RecordPayment',
    required: true,
    example: { amount: 79_343, date: '2026-11-12', reference: 'INV-000001' },
  },
  answer: { status: 201, schema: 'Payment' },
};

export const LIST_CREDIT_NOTES: Route = {
  id: 'listCreditNotes',
  tag: TAG,
  summary: 'Issued credit notes, in the order of their numbers',
  query: OF_ALL,
  answer: { status: 200, schema: 'CreditNoteSummaryList', csv: true },
  headers: { 'Projection-Lag': LAG },
};

export const SHOW_CREDIT_NOTE: Route = {
  id: 'getCreditNote',
  tag: TAG,
  summary: 'A credit note, or the bytes of a format',
  path: [{ ...NUMBER_OR_FILE, example: 'CN-000001' }],
  answer: { status: 200, schema: 'CreditNote', documents: true },
};

const ADDRESS = { line1: 'Ring 1', city: 'Wien', postcode: '1010', country: 'AT' };

const SELLER: Route = {
  id: 'getSeller',
  tag: TAG,
  summary: 'Who sends invoices',
  answer: { status: 200, schema: 'Seller' },
  headers: { ETag: OWN_ETAG },
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
  headers: { ETag: OWN_ETAG },
  isConditional: true,
};

const BUYER: Route = {
  id: 'getBillingDetails',
  tag: TAG,
  summary: 'Whom the invoices of an account are addressed to',
  path: ['account_id'],
  answer: { status: 200, schema: 'Buyer' },
  headers: { ETag: OWN_ETAG },
};

const SET_BUYER: Route = {
  id: 'setBillingDetails',
  tag: TAG,
  summary: 'Says anew whom the invoices of an account are addressed to',
  description:
    'What was issued stays as it is. `tax` is that of months without a plan, such as those of who pays ' +
    'for credits beforehand: without it they are invoiced outside the scope of tax (O).',
  path: ['account_id'],
  body: {
    schema: 'SetBuyer',
    required: true,
    example: {
      name: 'Nails & Co',
      address: ADDRESS,
      email: 'accounts@nails.example',
      tax: { category: 'S', rate_percent: 20 },
    },
  },
  answer: { status: 200, schema: 'Buyer' },
  headers: { ETag: OWN_ETAG },
};

/** It answers when the run has ended, or, with the same members, that it goes on. */
function runOperation(baseUrl: string): Operation {
  const ended = changeOperation(RUN, baseUrl);
  const started = startOperation({ ...RUN, answer: { ...RUN.answer, status: 202 } }, baseUrl);
  return { ...ended, responses: { ...ended.responses, ...started.responses } };
}

/** Paths of invoices, what becomes of them, and their parties. */
export function invoicePaths(baseUrl: string): Record<string, PathItem> {
  const read = (route: Route): PathItem => ({ get: readOperation(route, baseUrl) });
  const change = (route: Route): PathItem => ({ post: changeOperation(route, baseUrl) });
  const document = (route: Route): PathItem => ({
    get: readOperation(route, baseUrl, ['conflict', 'gone']),
  });
  return {
    '/admin/v1/invoice-runs': { post: runOperation(baseUrl) },
    '/admin/v1/invoice-runs/{run_id}': read(SHOW_RUN),
    '/admin/v1/invoices': read(LIST_INVOICES),
    '/admin/v1/invoices/{number}': document(SHOW_INVOICE),
    '/admin/v1/invoices/{number}/lines/{line}/calls': read(LINE_CALLS),
    '/admin/v1/invoices/{number}/void': change(VOID),
    '/admin/v1/invoices/{number}/credit-notes': change(CREDIT),
    '/admin/v1/invoices/{number}/payments': change(PAY),
    '/admin/v1/credit-notes': read(LIST_CREDIT_NOTES),
    '/admin/v1/credit-notes/{number}': document(SHOW_CREDIT_NOTE),
    '/admin/v1/accounts/{account_id}/invoices/draft': document(DRAFT_INVOICE),
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
