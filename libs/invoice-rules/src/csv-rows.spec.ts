import { plan } from '#account/scenario.suite.js';
import { decideCredit } from './credit-notes.js';
import { CSV_COLUMNS, creditNoteRows, invoiceRows, paymentRow } from './csv-rows.js';
import type { CsvCell, CsvColumn } from './csv-rows.js';
import { draftCreditNote, numberedCreditNote } from './draft-credit-note.js';
import { draftInvoice, numbered } from './draft-invoice.js';
import { invoiceAccount } from './invoice-account.js';
import { buyer, factsOf, invoiceTerms } from './months.suite.js';

const invoice = numbered(
  draftInvoice(
    factsOf({
      plan,
      usage: [{ rule: 'top 5', kind: 'base', calls: 12, credits: 420 }],
      movements: [
        {
          type: 'adjusted',
          at: 0,
          ordinal: null,
          id: null,
          credits: -80,
          reason: '=1+1',
          callId: null,
        },
      ],
      closing: { balance: -500, overage: 500, carried: 0, grants: [] },
    }),
    invoiceTerms({ buyer: { ...buyer, name: '@Nails' } }),
  ),
  'INV-000001',
  'ab'.repeat(32),
);

/** A row by its columns, empty ones left out. */
function named(row: readonly CsvCell[]): Partial<Record<CsvColumn, CsvCell>> {
  expect(row).toHaveLength(CSV_COLUMNS.length);
  const cells = CSV_COLUMNS.map((column, index) => [column, row[index]] as const);
  return Object.fromEntries(cells.filter(([, value]) => value !== ''));
}

const HEAD = {
  document: 'invoice',
  number: 'INV-000001',
  account_id: invoice.account_id,
  month: '2026-10',
  period_from: '2026-10-01',
  period_to: '2026-10-31',
  issue_date: '2026-11-01',
  due_date: '2026-11-15',
  currency: 'EUR',
  buyer_name: "'@Nails",
  buyer_country: 'GB',
};

test('an invoice has a row for each line and one for its tax', () => {
  expect(invoiceRows(invoice).map(named)).toEqual([
    {
      ...HEAD,
      line: 1,
      line_type: 'usage',
      description: 'Top 5, first calls',
      rule: 'top 5',
      kind: 'base',
      calls: 12,
      credits: 420,
      amount: '0.00',
      amount_minor: 0,
    },
    {
      ...HEAD,
      line: 2,
      line_type: 'adjustment',
      description: 'Adjustment: =1+1',
      reason: "'=1+1",
      credits: 80,
      amount: '0.00',
      amount_minor: 0,
    },
    {
      ...HEAD,
      line: 3,
      line_type: 'overage',
      description: 'Usage not covered by credits',
      billed_credits: 500,
      price_per_1000_credits: '12.50',
      price_per_1000_credits_minor: 1_250,
      amount: '6.25',
      amount_minor: 625,
    },
    {
      ...HEAD,
      line: 4,
      line_type: 'fee',
      description: 'Monthly fee',
      amount: '49.00',
      amount_minor: 4_900,
    },
    {
      ...HEAD,
      line_type: 'tax',
      description: 'VAT 19 %',
      tax_category: 'S',
      tax_rate_percent: 19,
      amount: '10.50',
      amount_minor: 1_050,
    },
  ]);
});

function sumOfRows(rows: readonly CsvCell[][]): number {
  return rows.reduce((sum, row) => sum + Number(named(row).amount_minor), 0);
}

test('the amounts of a document add up to its total', () => {
  const credit = decideCredit(invoiceAccount(invoice, []), { scope: 'whole' });
  if (credit.outcome === 'refused') throw new Error('There is something to credit.');
  const terms = { id: 'note-1', issueDate: '2026-11-20', reason: '+ a mistake' };
  const note = numberedCreditNote(draftCreditNote(invoice, credit, terms), 'CN-000001');
  expect(sumOfRows(invoiceRows(invoice))).toBe(invoice.total);
  expect(sumOfRows(creditNoteRows(note))).toBe(-invoice.total);
  expect(creditNoteRows(note).map(named)).toMatchObject([
    { document: 'credit_note', invoice_number: 'INV-000001', line: 3, amount: '-6.25' },
    { reason: "'+ a mistake", line: 4, line_type: 'credit', amount: '-49.00' },
    { line_type: 'tax', amount: '-10.50', amount_minor: -1_050 },
  ]);
});

test('what the credit balance pays stands in the first row of an invoice alone', () => {
  const rows = invoiceRows({ ...invoice, prepaid: 1_205 }).map(named);
  expect(rows.map(({ prepaid, prepaid_minor }) => [prepaid, prepaid_minor])).toEqual([
    ['12.05', 1_205],
    ...rows.slice(1).map(() => [undefined, undefined]),
  ]);
  expect(rows).toHaveLength(5);
});

test('a payment is one row', () => {
  const row = paymentRow({
    document: 'payment',
    payment_id: 'payment-1',
    account_id: 'account-1',
    invoice_number: 'INV-000001',
    month: '2026-10',
    date: '2026-11-10',
    currency: 'JPY',
    amount: -7,
    reference: '-7 back',
  });
  expect(named(row)).toEqual({
    document: 'payment',
    number: 'payment-1',
    account_id: 'account-1',
    month: '2026-10',
    issue_date: '2026-11-10',
    currency: 'JPY',
    invoice_number: 'INV-000001',
    line_type: 'payment',
    description: "'-7 back",
    amount: '-7',
    amount_minor: -7,
  });
});
