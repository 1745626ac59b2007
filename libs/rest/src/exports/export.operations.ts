import type { FastifyReply, FastifyRequest } from 'fastify';
import { documentCsv } from '#invoice-rules/csv-rows.js';
import { negotiate } from '#web/table-answer.js';
import { Invoice } from '../invoices/invoice.schemas.js';
import { sending } from '../operation/answer.js';
import { exampleOf } from '../operation/examples.js';
import { LOG_POSITIONS } from '../operation/headers.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { STAFF_READ } from '../operation/permissions.js';
import { EXPORT_TYPES } from './export-types.js';
import { accountsOf, CreditLiability, EXPORT_QUERY, LIABILITY_QUERY } from './export.schemas.js';
import { Exports } from './exports.js';
import { liabilityCsv, liabilityJson, liabilityTable } from './liability-answer.js';
import { RevenueSchedule, SCHEDULE_QUERY } from './revenue-schedule.schemas.js';
import { scheduleCsv } from './revenue-schedules.js';
import { FOCUS_MEDIA, FOCUS_TYPES } from './focus-export.js';
import { openItemsCsv } from './open-items.js';
import { OPEN_ITEMS_QUERY, OpenItems } from './open-items.schemas.js';
import { sendPieces } from './send-pieces.js';

const { read } = operationsOf<Exports>('Exports');
const HEADERS = { 'Log-Positions': LOG_POSITIONS };

const invoices = read({
  id: 'exportInvoices',
  path: '/exports/invoices',
  summary: 'Invoices, credit notes and payments of a month',
  description:
    'By month of supply (`month`), or of issue and payment (`issued_month`); one of both. `journal` and ' +
    '`datev` are by posting date, `focus` is by month of supply alone. It is made while it is sent, of what had ' +
    'been issued as it began; a connection that ends early means that something is missing. 409 while an ' +
    'account is damaged, because it would lack it; a closed month is answered all the same. `csv`: a ' +
    'row for each line, tax and payment. `jsonl`: a document or payment on each line. `zip`: the ' +
    'issued PDFs, XMLs and JSONs with `manifest.json` and `SHA256SUMS`. `journal`: double entry. ' +
    '`datev`: the same as a DATEV Buchungsstapel (EXTF 700), 409 without `datev` of the seller. ' +
    '`focus`: costs and usage by FOCUS 1.2, as CSV or, where `Accept` prefers it, JSON lines.',
  access: STAFF_READ,
  problems: ['conflict'],
  query: EXPORT_QUERY,
  answer: sending(
    null,
    ['text/csv', 'application/jsonl', 'application/zip'],
    {
      'text/csv': documentCsv({ ...exampleOf(Invoice), number: 'INV-000001' }),
    },
    HEADERS,
  ),
  run: (exports, { query }) => ({
    view: async (request, reply) => {
      const { format, month: supply, issued_month: issued = '' } = query;
      if (format === 'focus') {
        const accepted = negotiate(request, FOCUS_MEDIA);
        const { type, extension } = FOCUS_TYPES[accepted];
        const scope = { month: supply ?? '', test: query.test === 'true' };
        const file = { type, name: `focus-${scope.month}.${extension}` };
        const { ends, content } = await exports.focus(scope, accepted);
        return sendPieces(request, reply, { ...file, ends }, content);
      }
      const { mediaType, type, name } = EXPORT_TYPES[format];
      negotiate(request, [mediaType]);
      const month = supply ?? issued;
      const { ends, content } = await exports.invoices({
        by: supply === undefined ? 'issue' : 'supply',
        month,
        test: query.test === 'true',
        format,
        accounts: accountsOf(query),
      });
      await sendPieces(request, reply, { type, name: name(month), ends }, content);
    },
  }),
});

const creditLiability = read({
  id: 'exportCreditLiability',
  path: '/exports/credit-liability',
  summary: 'What is owed in purchased credits',
  description:
    'For each purchased grant what there was, was sold, used, expired, was voided and is left, in ' +
    'credits and in money: opening + sold − used − expired − voided = closing. `totals`: by currency.',
  access: STAFF_READ,
  problems: ['conflict'],
  query: LIABILITY_QUERY,
  answer: sending(
    CreditLiability,
    ['text/csv'],
    {
      'text/csv': liabilityTable(exampleOf(CreditLiability)),
    },
    HEADERS,
  ),
  run: (exports, { query: { month, test } }) => ({
    view: async (request, reply) => {
      await sendTable(request, reply, async () => {
        const liability = await exports.creditLiability({ month, test: test === 'true' });
        const { ends, final, content } = liability;
        return {
          name: `credit-liability-${month}`,
          ends,
          json: () => liabilityJson(month, final, content),
          csv: () => liabilityCsv(content),
        };
      });
    },
  }),
});

const revenueSchedule = read({
  id: 'exportRevenueSchedule',
  path: '/exports/revenue-schedule',
  summary: 'Deferred and recognised revenue of purchased credits, month by month',
  description:
    'For each month and currency: opening + sold − refunded − used − breakage = closing, which is the ' +
    'balance of the deferred revenue and the closing of the credit liability. `recognised` is what the ' +
    'journal books as revenue from credits. `expected_breakage` is an estimate: the closing amount by ' +
    "the seller's `breakage_percent`, rounded half up; no journal holds it. Credits of closed accounts " +
    'stay deferred until they expire or are refunded: `closed_accounts`.',
  access: STAFF_READ,
  problems: ['conflict'],
  query: SCHEDULE_QUERY,
  answer: sending(
    RevenueSchedule,
    ['text/csv'],
    {
      'text/csv': scheduleCsv(exampleOf(RevenueSchedule).items),
    },
    HEADERS,
  ),
  run: (exports, { query: { from, to, test } }) => ({
    view: async (request, reply) => {
      await sendTable(request, reply, async () => {
        const schedule = await exports.revenueSchedule({ from, to, test: test === 'true' });
        const { ends, content } = schedule;
        return {
          name: `revenue-schedule-${from}-${to}`,
          ends,
          json: () => whole(`${JSON.stringify(content)}\n`),
          csv: () => whole(scheduleCsv(content.items)),
        };
      });
    },
  }),
});

const openItems = read({
  id: 'exportOpenItems',
  path: '/exports/open-items',
  summary: 'Open items of all customers on a day',
  description:
    'Each invoice of which something is due, or is to be paid back, and each credit balance (below 0), ' +
    'customer by customer, by the dates of documents and payments.',
  access: STAFF_READ,
  problems: ['conflict'],
  query: OPEN_ITEMS_QUERY,
  answer: sending(
    OpenItems,
    ['text/csv'],
    { 'text/csv': openItemsCsv(exampleOf(OpenItems)) },
    HEADERS,
  ),
  run: (exports, { query: { date, test } }) => ({
    view: async (request, reply) => {
      await sendTable(request, reply, async () => {
        const { ends, content } = await exports.openItems({ date, test: test === 'true' });
        return {
          name: `open-items-${content.date}`,
          ends,
          json: () => whole(`${JSON.stringify(content)}\n`),
          csv: () => whole(openItemsCsv(content)),
        };
      });
    },
  }),
});

interface Table {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly ends: Parameters<typeof sendPieces>[2]['ends'];
  readonly json: () => Parameters<typeof sendPieces>[3];
  readonly csv: () => Parameters<typeof sendPieces>[3];
}

/** Sends a table as JSON or CSV; it is read once it is known which of them is accepted. */
async function sendTable(
  request: FastifyRequest,
  reply: FastifyReply,
  readTable: () => Promise<Table>,
): Promise<void> {
  const isJson = negotiate(request, ['application/json', 'text/csv']) === 'application/json';
  const { name, ends, json, csv } = await readTable();
  const file = isJson
    ? { type: 'application/json; charset=utf-8', name: `${name}.json`, ends }
    : { type: EXPORT_TYPES.csv.type, name: `${name}.csv`, ends };
  await sendPieces(request, reply, file, isJson ? json() : csv());
}

async function* whole(text: string): AsyncGenerator<string> {
  yield text;
}

/** Files that finance takes over at a month's end. */
export const EXPORTS: Resource = {
  service: Exports,
  operations: [invoices, creditLiability, revenueSchedule, openItems],
};
