import { DEFAULT_ACCOUNTS } from './ledger-accounts.js';
import fc from 'fast-check';
import { plan } from '#account/scenario.suite.js';
import { decideCredit } from './credit-notes.js';
import { grantLiability } from './credit-liability.js';
import { draftInvoice, numbered } from './draft-invoice.js';
import { invoiceAccount } from './invoice-account.js';
import type { Invoice } from './invoice.js';
import { creditNoteEntry, invoiceEntry, moneyEntry } from './journal.js';
import { writeOffEntry } from './journal.js';
import { earnedEntry, recognitionEntry, refundEntry, saleEntry } from './journal.js';
import type { BookedNote, JournalEntry } from './journal.js';
import { factsOf, invoiceTerms } from './months.suite.js';

/** An invoice of an overage, a purchase (both may be 0) and a fee. */
function invoiceOf(overage: number, price: number, monthlyFee: number): Invoice {
  const kind = 'purchased' as const;
  const facts = factsOf({
    plan: { ...plan, monthly_fee: monthlyFee },
    usage: [{ rule: 'top 5', kind: 'base', calls: 1, credits: overage }],
    movements: [
      { type: 'granted', at: 0, ordinal: 1, id: 'grant-1', kind, credits: 10, price },
      { type: 'voided', at: 0, ordinal: 1, credits: 10 },
    ],
    closing: { balance: -overage, overage, carried: 0, grants: [] },
  });
  return numbered(draftInvoice(facts, invoiceTerms()), 'INV-000001', 'ab'.repeat(32));
}

function noteOf(invoice: Invoice): BookedNote {
  const credit = decideCredit(invoiceAccount(invoice, []), { scope: 'whole' });
  if (credit.outcome === 'refused') throw new Error('There is nothing to credit.');
  const { lines, tax, total } = credit;
  const sealed = { issue_date: '2026-11-20', currency: invoice.currency, lines, tax, total };
  return { ...sealed, credit_note_id: 'note-1', number: 'CN-000001', of: invoice.number };
}

/** Each posting as `account debit credit`. */
function outline({ postings }: JournalEntry): string[] {
  return postings.map(
    ({ ledger, debit, credit }) => `${DEFAULT_ACCOUNTS[ledger]} ${debit} ${credit}`,
  );
}

const invoice = invoiceOf(420, 999, 4_900);
const { currency } = invoice;

test('a sale of credits is owed in credits on its day, with its tax if it is invoiced at once', () => {
  const heading = { date: '2026-10-05', document: 'INV-000002', documentId: 'grant-1', currency };
  const entry = saleEntry(heading, { price: 999, tax: 190 });
  expect(entry).toMatchObject({ ...heading, description: 'Sale of credits' });
  expect(outline(entry)).toEqual(['1210 1189 0', '2400 0 999', '2200 0 190']);
  expect(outline(saleEntry(heading, { price: 999, tax: 0 }))).toEqual(['1210 999 0', '2400 0 999']);
  expect(outline(refundEntry(heading, 500))).toEqual(['2400 500 0', '1210 0 500']);
});

test('what a month earned is a contract asset, which its invoice moves to the customer', () => {
  const month = { date: '2026-10-31', document: '2026-10', documentId: null, currency };
  const earned = earnedEntry(month, { fee: 4_900, overage: 525, tax: 1_221 });
  expect(outline(earned)).toEqual(['1210 6646 0', '4010 0 525', '4000 0 4900', '2200 0 1221']);
  const entry = invoiceEntry({ ...invoice, invoice_id: invoice.id });
  expect(entry).toMatchObject({ date: '2026-11-01', document: 'INV-000001', currency: 'EUR' });
  expect(outline(entry)).toEqual(['1200 7645 0', '1210 0 7645']);
});

test('a credit note takes revenue back, and of a purchase what its credits went for', () => {
  const note = { ...noteOf(invoice), purchases: [['grant-1', 10, 999]] as const };
  expect(outline(creditNoteEntry(note, invoice))).toEqual([
    '1200 0 7645',
    '4010 525 0',
    '1210 999 0',
    '4000 4900 0',
    '2200 1221 0',
  ]);
});

test('an invoice that is voided and reissued moves its tax, and neither credits nor revenue', () => {
  const note = { ...noteOf(invoice), reissued_as: 'invoice-2' };
  expect(outline(creditNoteEntry(note, invoice))).toEqual([
    '1200 0 7645',
    '1210 6424 0',
    '2200 1221 0',
  ]);
  const reissue = {
    ...invoice,
    invoice_id: invoice.id,
    reissues: 'invoice-1',
    tax: 642,
    total: 7_066,
  };
  expect(outline(invoiceEntry(reissue))).toEqual(['1200 7066 0', '1210 0 6424', '2200 0 642']);
});

test('one of an older version took no credits, and is a deduction from revenue', () => {
  const entry = creditNoteEntry(noteOf(invoice), invoice);
  expect(outline(entry)).toContain('4090 999 0');
});

test('a credit note for a line that its invoice does not have is booked nowhere', () => {
  const other = { lines: [], tax_breakdown: [] };
  expect(() => creditNoteEntry(noteOf(invoice), other)).toThrow('INV-000001 has no line 2.');
});

const heading = {
  date: '2026-11-10',
  document: 'INV-000001',
  documentId: 'payment-1',
  currency,
};

test.each([
  [
    'payment beyond what is due',
    { money: 500, applied: 200 },
    ['1000 500 0', '1200 0 200', '2300 0 300'],
  ],
  ['refund', { money: -300, applied: -100 }, ['1000 0 300', '1200 100 0', '2300 200 0']],
  ['credit balance that is used', { money: 0, applied: 200 }, ['1200 0 200', '2300 200 0']],
])('a %s changes the credit balance', (_what, booked, postings) => {
  expect(outline(moneyEntry(heading, '', booked))).toEqual(postings);
});

test('a credit note may leave what was paid as credit balance', () => {
  const note = { ...noteOf(invoice), purchases: [], to_balance: 7_000 };
  const entry = creditNoteEntry(note, invoice);
  expect(outline(entry).slice(0, 2)).toEqual(['1200 0 645', '2300 0 7000']);
});

test('what is written off is a bad debt', () => {
  expect(outline(writeOffEntry(heading, '', 70))).toEqual(['6000 70 0', '1200 0 70']);
});

test.each([
  [7_645, ['1000 7645 0', '1200 0 7645']],
  [-100, ['1000 0 100', '1200 100 0']],
])('a payment of %d moves what is owed', (amount, postings) => {
  const booked = { money: amount, applied: amount };
  expect(outline(moneyEntry(heading, '', booked))).toEqual(postings);
});

test('purchased credits become revenue as they are used, expire or are forfeited', () => {
  const liability = grantLiability({
    ordinal: 1,
    id: 'grant-1',
    kind: 'purchased',
    credits: 10,
    price: 1_000,
    worth: { amount: 1_000, credits: 10 },
    opening: 10,
    given: 0,
    covered: 5,
    expired: 2,
    voided: 3,
    voids: [
      { type: 'voided', at: 0, ordinal: 1, credits: 2, left: 3, refund: 200 },
      { type: 'voided', at: 0, ordinal: 1, credits: 1, left: 2 },
    ],
    closing: 0,
  });
  const month = { date: '2026-10-31', document: '2026-10', documentId: 'grant-1', currency };
  const entry = recognitionEntry(month, liability, 200);
  expect(entry.description).toBe('Purchased credits: used, expired');
  expect(outline(entry)).toEqual(['2400 800 0', '4020 0 500', '4030 0 300']);
});

test('debits are credits in every entry, and no posting has two sides', () => {
  const amount = fc.nat(1_000_000);
  fc.assert(
    fc.property(amount, amount, amount, (overage, price, fee) => {
      const issued = invoiceOf(overage, price, fee);
      fc.pre(issued.total > 0);
      const entries = [
        invoiceEntry({ ...issued, invoice_id: issued.id }),
        creditNoteEntry(noteOf(issued), issued),
      ];
      for (const { postings } of entries) {
        const debits = postings.reduce((sum, { debit }) => sum + debit, 0);
        const credits = postings.reduce((sum, { credit }) => sum + credit, 0);
        expect(debits).toBe(issued.total);
        expect(credits).toBe(debits);
        expect(postings.every(({ debit, credit }) => (debit === 0) !== (credit === 0))).toBe(true);
      }
    }),
  );
});
