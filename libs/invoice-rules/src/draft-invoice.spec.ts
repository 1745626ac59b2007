import { plan } from '#account/scenario.suite.js';
import { canonicalText, draftInvoice, dueDate, numbered, periodOf } from './draft-invoice.js';
import { buyer, factsOf, invoiceTerms, seller } from './months.suite.js';

const HEAD = 'ab'.repeat(32);

const facts = factsOf({
  plan,
  usage: [{ rule: 'top 5', kind: 'base', calls: 12, credits: 420 }],
  closing: { balance: -420, overage: 420, carried: 0, grants: [] },
  version: { from: 1, to: 2_210 },
});

test('a draft holds net, tax and total of its lines', () => {
  const { net, tax, total, tax_breakdown } = draftInvoice(facts, invoiceTerms());
  expect({ net, tax, total, tax_breakdown }).toEqual({
    net: 5_425,
    tax: 1_031,
    total: 6_456,
    tax_breakdown: [{ category: 'S', rate_percent: 19, taxable: 5_425, tax: 1_031 }],
  });
});

test('an issued invoice has the members of the contract, in their order', () => {
  const invoice = numbered(draftInvoice(facts, invoiceTerms()), 'INV-000001', HEAD);
  expect(Object.keys(invoice)).toEqual([
    'number',
    'type',
    'id',
    'account_id',
    'month',
    'period',
    'currency',
    'issue_date',
    'due_date',
    'seller',
    'buyer',
    'lines',
    'net',
    'tax_breakdown',
    'tax',
    'total',
    'account_version',
    'account_head',
  ]);
  expect(invoice).toMatchObject({
    number: 'INV-000001',
    month: '2026-10',
    period: { from: '2026-10-01', to: '2026-10-31' },
    account_version: { from: 1, to: 2_210 },
    account_head: HEAD,
  });
});

test('equal parties give equal bytes, in whatever order their members were stored', () => {
  const reversed = (whole: object) => Object.fromEntries(Object.entries(whole).toReversed());
  const { address } = seller;
  const shuffled = { ...reversed(seller), address: reversed(address) } as typeof seller;
  const same = draftInvoice(facts, invoiceTerms({ seller: shuffled }));
  expect(canonicalText(same)).toBe(canonicalText(draftInvoice(facts, invoiceTerms())));
});

test('what is not filled in of a party is left out', () => {
  const terms = invoiceTerms({ seller: {}, buyer: { name: buyer.name } });
  const draft = draftInvoice(facts, terms);
  expect(draft.seller).toEqual({});
  expect(draft.buyer).toEqual({ name: 'Nails & Co' });
});

test.each([
  ['2026-10', '2026-10-01', '2026-10-31'],
  ['2026-12', '2026-12-01', '2026-12-31'],
  ['2027-02', '2027-02-01', '2027-02-28'],
  ['2028-02', '2028-02-01', '2028-02-29'],
])('month %s is from %s to %s', (month, from, to) => {
  expect(periodOf(month)).toEqual({ from, to });
});

test.each([
  ['2026-11-01', 14, '2026-11-15'],
  ['2028-02-16', 14, '2028-03-01'],
  ['2026-12-31', 1, '2027-01-01'],
  ['2026-11-01', 0, '2026-11-01'],
])('an invoice of %s with %d days is due on %s', (issued, days, due) => {
  expect(dueDate(issued, days)).toBe(due);
});

test('what is no month and no date is refused', () => {
  expect(() => periodOf('2026-13')).toThrow('"2026-13" is not a month.');
  expect(() => dueDate('2026-02-30', 1)).toThrow('"2026-02-30" is not a date.');
});
