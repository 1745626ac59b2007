import type { InvoiceRecord } from '#account/billing-events.js';
import fc from 'fast-check';
import { invoiceAccount, overdueAmount, refusePayment, stateOf } from './invoice-account.js';
import type { IssuedInvoice } from './invoice-account.js';

/** Due on 15 November: 10000 and 1900 tax. */
const invoice: IssuedInvoice = {
  id: 'invoice-1',
  currency: 'EUR',
  lines: [{ n: 1, type: 'fee', description: 'Monthly fee', amount: 10_000 }],
  net: 10_000,
  tax_breakdown: [{ category: 'S', rate_percent: 19, taxable: 10_000, tax: 1_900 }],
  tax: 1_900,
  total: 11_900,
  due_date: '2026-11-15',
};
const free: IssuedInvoice = { ...invoice, lines: [], net: 0, tax: 0, total: 0 };

function paid(amount: number, invoiceId = invoice.id): InvoiceRecord {
  const data = { payment_id: 'payment-1', invoice_id: invoiceId, amount, currency: 'EUR' };
  return { type: 'PaymentRecorded', data: { ...data, date: '2026-11-10', reference: null } };
}

function credited(net: number): InvoiceRecord {
  const tax = (net * 19) / 100;
  const note = { credit_note_id: 'note-1', invoice_id: invoice.id, month: '2026-10' };
  const amounts = { currency: 'EUR', lines: [[1, net]] as const, net, tax, total: net + tax };
  const rest = { series: 'CN' as const, issue_date: '2026-11-20', sha256: '00' };
  return { type: 'CreditNoteSealed', data: { ...note, ...amounts, ...rest } };
}

const reported: InvoiceRecord = {
  type: 'InvoiceOverdue',
  data: { invoice_id: invoice.id, due_date: invoice.due_date, due: 11_900, currency: 'EUR' },
};

const ON_TIME = '2026-11-15';
const LATE = '2026-11-16';

test.each<[string, readonly InvoiceRecord[], string, string, number]>([
  ['is issued', [], ON_TIME, 'issued', 11_900],
  ['is overdue from the day after its due date', [], LATE, 'overdue', 11_900],
  ['is partly paid', [paid(1)], ON_TIME, 'partly_paid', 11_899],
  ['is overdue although a part was paid', [paid(1)], LATE, 'overdue', 11_899],
  ['is paid', [paid(11_900)], ON_TIME, 'paid', 0],
  [
    'is open again when the payment bounced',
    [paid(11_900), paid(-11_900)],
    ON_TIME,
    'issued',
    11_900,
  ],
  [
    'is partly paid when one bounced',
    [paid(900), paid(11_000), paid(-900)],
    ON_TIME,
    'partly_paid',
    900,
  ],
  ['is overdue when a payment bounced late', [paid(11_900), paid(-900)], LATE, 'overdue', 900],
  ['is never overdue once it is paid', [paid(11_900)], LATE, 'paid', 0],
  ['is paid in parts', [paid(5_000), paid(6_900)], LATE, 'paid', 0],
  ['is credited in full', [credited(10_000)], LATE, 'credited', 0],
  ['is issued where a part was credited', [credited(1_000)], ON_TIME, 'issued', 10_710],
  ['is paid with what a credit note left', [credited(1_000), paid(10_710)], LATE, 'paid', 0],
  ['owes back what was paid too much', [paid(11_900), credited(1_000)], LATE, 'paid', -1_190],
  ['is credited after it was paid', [paid(11_900), credited(10_000)], LATE, 'credited', -11_900],
  ['was paid back', [paid(11_900), credited(10_000), paid(-11_900)], LATE, 'credited', 0],
  ['knows nothing of the payments of others', [paid(1, 'invoice-2')], ON_TIME, 'issued', 11_900],
])('an invoice %s', (_name, records, today, status, due) => {
  expect(stateOf(invoiceAccount(invoice, records), today)).toMatchObject({ status, due });
});

test('an invoice of 0 is paid from the start', () => {
  const account = invoiceAccount(free, []);
  expect(stateOf(account, LATE)).toEqual({ status: 'paid', paid: 0, credited: 0, due: 0 });
});

// Records, amount of one more payment, whether it is taken.
test.each<[readonly InvoiceRecord[], number, boolean]>([
  [[], 11_900, true],
  [[], 1, true],
  [[], 11_901, false],
  [[], 0, false],
  [[], -1, false],
  [[], 0.5, false],
  [[], NaN, false],
  [[paid(11_900)], 1, false],
  [[paid(11_900)], -1, true],
  [[paid(11_900)], -11_900, true],
  [[paid(11_900)], -11_901, false],
  [[paid(900)], -900, true],
  [[paid(900), paid(-900)], -1, false],
  [[paid(900), paid(-900)], 11_900, true],
  [[paid(11_900), credited(1_000)], 1, false],
  [[paid(11_900), credited(1_000)], -1_190, true],
  [[paid(11_900), credited(1_000)], -11_900, true],
  [[paid(11_900), credited(1_000)], -11_901, false],
])('after %j a payment of %d fits: %p', (records, amount, fits) => {
  const refusal = refusePayment(invoiceAccount(invoice, records), amount);
  expect(refusal === null).toBe(fits);
});

test('a refused payment names the amount due', () => {
  expect(refusePayment(invoiceAccount(invoice, [paid(900)]), 11_001)).toEqual({
    reason: 'amount-out-of-range',
    due: 11_000,
    detail:
      'At most EUR 110.00 is due, and at most EUR 9.00 can be taken back. A payment of the account takes more: what no invoice needs is its credit balance.',
  });
  expect(refusePayment(invoiceAccount(free, []), -1)?.detail).toBe(
    'Nothing is due, and nothing was paid.',
  );
});

test('whatever payments are taken, none is more than is due and what is paid is never below 0', () => {
  const amounts = fc.array(fc.integer({ min: -15_000, max: 15_000 }), { maxLength: 20 });
  fc.assert(
    fc.property(amounts, fc.nat(10_000), (tries, net) => {
      const records: InvoiceRecord[] = [];
      for (const [index, amount] of tries.entries()) {
        const before = invoiceAccount(invoice, records);
        if (refusePayment(before, amount) !== null) continue;
        records.push(paid(amount));
        const after = invoiceAccount(invoice, records);
        expect([after.paid >= 0, after.due]).toEqual([true, before.due - amount]);
        if (amount > 0) expect(after.due).toBeGreaterThanOrEqual(0);
        if (index === 9 && net > 0) records.push(credited(net));
      }
    }),
  );
});

test.each<[string, readonly InvoiceRecord[], string, number | null]>([
  ['on its due date', [], ON_TIME, null],
  ['the day after', [], LATE, 11_900],
  ['the day after, with a part paid', [paid(900)], LATE, 11_000],
  ['when it was reported', [reported], LATE, null],
  ['when it is paid', [paid(11_900)], LATE, null],
])('the amount reported as overdue %s', (_name, records, today, amount) => {
  expect(overdueAmount(invoiceAccount(invoice, records), today)).toBe(amount);
});
