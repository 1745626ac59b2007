import fc from 'fast-check';
import { plan } from '#account/scenario.suite.js';
import { decideCredit } from './credit-notes.js';
import { grantLiability } from './credit-liability.js';
import { draftCreditNote, numberedCreditNote } from './draft-credit-note.js';
import { draftInvoice, numbered } from './draft-invoice.js';
import { invoiceAccount } from './invoice-account.js';
import type { CreditNote, Invoice } from './invoice.js';
import { creditNoteEntry, DEFAULT_ACCOUNTS, invoiceEntry, paymentEntry } from './journal.js';
import { recognitionEntry, type JournalEntry } from './journal.js';
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

function noteOf(invoice: Invoice): CreditNote {
  const credit = decideCredit(invoiceAccount(invoice, []), { scope: 'whole' });
  if (credit.outcome === 'refused') throw new Error('There is nothing to credit.');
  const terms = { id: 'note-1', issueDate: '2026-11-20', reason: 'A mistake.' };
  return numberedCreditNote(draftCreditNote(invoice, credit, terms), 'CN-000001');
}

/** Each posting as `account debit credit`. */
function outline({ postings }: JournalEntry): string[] {
  return postings.map(({ account, debit, credit }) => `${account} ${debit} ${credit}`);
}

const invoice = invoiceOf(420, 999, 4_900);
const { currency } = invoice;

test('an invoice is owed by the customer, and credits that were sold are no revenue yet', () => {
  const entry = invoiceEntry(invoice, DEFAULT_ACCOUNTS);
  expect(entry).toMatchObject({ date: '2026-11-01', document: 'INV-000001', currency: 'EUR' });
  expect(outline(entry)).toEqual([
    '1200 7645 0',
    '4010 0 525',
    '2400 0 999',
    '4000 0 4900',
    '2200 0 1221',
  ]);
});

test('a credit note takes it back, a purchase as a deduction from revenue', () => {
  expect(outline(creditNoteEntry(noteOf(invoice), invoice, DEFAULT_ACCOUNTS))).toEqual([
    '1200 0 7645',
    '4010 525 0',
    '4090 999 0',
    '4000 4900 0',
    '2200 1221 0',
  ]);
});

test('a credit note for a line that its invoice does not have is booked nowhere', () => {
  const other = { lines: [] };
  expect(() => creditNoteEntry(noteOf(invoice), other, DEFAULT_ACCOUNTS)).toThrow(
    'INV-000001 has no line 2.',
  );
});

test.each([
  [7_645, ['1000 7645 0', '1200 0 7645']],
  [-100, ['1000 0 100', '1200 100 0']],
])('a payment of %d moves what is owed', (amount, postings) => {
  const payment = { id: 'payment-1', date: '2026-11-10', amount, currency, invoice: 'INV-000001' };
  expect(outline(paymentEntry(payment, DEFAULT_ACCOUNTS))).toEqual(postings);
});

test('purchased credits become revenue as they are used, expire or are voided', () => {
  const liability = grantLiability({
    ordinal: 1,
    id: 'grant-1',
    kind: 'purchased',
    credits: 10,
    price: 1_000,
    opening: 10,
    given: 0,
    covered: 5,
    expired: 3,
    voided: 1,
    closing: 1,
  });
  const month = { date: '2026-10-31', currency };
  const entry = recognitionEntry(liability, month, DEFAULT_ACCOUNTS);
  expect(entry.description).toBe('Purchased credits: used, expired, voided');
  expect(outline(entry)).toEqual(['2400 900 0', '4020 0 500', '4030 0 400']);
});

test('an operator books to own accounts, also to one for several things', () => {
  const accounts = { ...DEFAULT_ACCOUNTS, feeRevenue: '8400', overageRevenue: '8400' };
  expect(outline(invoiceEntry(invoice, accounts))).toContain('8400 0 5425');
});

test('debits are credits in every entry, and no posting has two sides', () => {
  const amount = fc.nat(1_000_000);
  fc.assert(
    fc.property(amount, amount, amount, (overage, price, fee) => {
      const issued = invoiceOf(overage, price, fee);
      fc.pre(issued.total > 0);
      const entries = [
        invoiceEntry(issued, DEFAULT_ACCOUNTS),
        creditNoteEntry(noteOf(issued), issued, DEFAULT_ACCOUNTS),
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
