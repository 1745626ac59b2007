import { INVOICES } from '#projections/projections/invoices.projection.js';
import { streamedBody } from '#web/server/streamed-body.js';
import { ok } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { STAFF_CHANGE } from '../operation/permissions.js';
import { BankStatements } from './bank-statements.js';
import { BankProposals, BookBankEntries, BookedBankEntries } from './bank-statement.schemas.js';

const XML_EXAMPLE = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>…</BkToCstmrStmt></Document>
`;
const CSV_EXAMPLE = `date;amount;currency;reference;name;id
2026-12-08;400,00;EUR;INV-000001;Nails & Co;2026120800001
`;

const { read, change } = operationsOf<BankStatements>('Invoices');

const propose = read({
  id: 'proposeBankPayments',
  method: 'post',
  path: '/bank-statements/proposals',
  summary: 'Reads a statement of a bank and proposes payments',
  description:
    'A camt.053 of any version, or a CSV with a header in English or German: date, amount and currency, ' +
    'and where there are any reference, name, iban, id and account. At most 2 MiB. Nothing is recorded, ' +
    'and the file is not kept. An entry is matched by the number of an invoice in its texts, or else by ' +
    'the amount that is due and the name of the buyer. The sums of the outcomes are that of the file.',
  access: STAFF_CHANGE,
  stream: { 'application/xml': XML_EXAMPLE, 'text/xml': XML_EXAMPLE, 'text/csv': CSV_EXAMPLE },
  waitsFor: () => INVOICES,
  answer: ok(BankProposals),
  run: async (statements, { request }) => ({
    view: await statements.propose(streamedBody(request)),
  }),
});

const book = change({
  id: 'bookBankEntries',
  method: 'post',
  path: '/bank-statements/payments',
  summary: 'Records the payments of entries of a bank',
  description:
    'Each entry is recorded once, however often and in whichever file it comes: it is of the account for ' +
    'which it is confirmed first, and named by its id. What is refused of one entry (more than is due, a ' +
    'closed period) keeps none of the others; it can be sent again. Up to 200 entries.',
  access: STAFF_CHANGE,
  body: BookBankEntries,
  answer: ok(BookedBankEntries),
  run: async (statements, { change: made, body }) => ({
    view: await statements.book(made, body.entries),
  }),
});

/** Payments by the statements of a bank. */
export const BANK_STATEMENTS: Resource = {
  service: BankStatements,
  operations: [propose, book],
};
