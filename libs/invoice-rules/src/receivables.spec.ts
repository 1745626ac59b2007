import { appliedAmounts, balanceChange } from '#account/billing-events.js';
import { accountStatement } from './account-statement.js';
import { Books, DATE } from './receivable-books.suite.js';
import { allocatePayment, allocateRefund } from './receivables.js';

const of = { currency: 'USD', date: DATE };

test('a payment pays what is due first, and an older event pays its invoice alone', () => {
  const items = [
    { id: 'a', number: 'INV-1', due: 100 },
    { id: 'b', number: 'INV-2', due: -30 },
    { id: 'c', number: 'INV-3', due: 50 },
  ];
  expect(allocatePayment({ items, balance: 20, currency: 'EUR' }, 110)).toEqual({
    outcome: 'allocated',
    applied: [
      ['a', 100],
      ['c', 30],
    ],
  });
  expect(allocateRefund({ items, balance: 20, currency: 'EUR' }, 50)).toMatchObject({
    applied: [['b', 30]],
  });
  expect(allocateRefund({ items, balance: 20, currency: 'EUR' }, 51)).toMatchObject({
    outcome: 'refused',
  });
  const data = { payment_id: 'p', invoice_id: 'a', amount: 7, ...of, reference: null };
  expect(appliedAmounts({ type: 'PaymentRecorded', data })).toEqual([['a', 7]]);
  expect(balanceChange({ type: 'PaymentRecorded', data })).toBe(0);
});

test.each([
  ['an invoice of another account', [{ number: 'INV-9', amount: 1 }], 'invoice-unknown', 0],
  [
    'an invoice twice',
    [
      { number: 'INV-1', amount: 1 },
      { number: 'INV-1', amount: 1 },
    ],
    'invoice-twice',
    1,
  ],
  ['more than is due', [{ number: 'INV-1', amount: 101 }], 'amount-out-of-range', 0],
  ['more than is there', [{ number: 'INV-1', amount: 31 }], 'amount-out-of-range', null],
])('a payment for %s is refused', (_what, apply, reason, index) => {
  const items = [{ id: 'a', number: 'INV-1', due: 100 }];
  const found = allocatePayment({ items, balance: 20, currency: 'EUR' }, 10, apply);
  expect(found).toMatchObject({ outcome: 'refused', reason, index });
});

test('a refusal states money with its currency and decimals', () => {
  const items = [{ id: 'a', number: 'INV-1', due: 10_050 }];
  const of = { items, balance: 20 };
  const apply = (amount: number) => [{ number: 'INV-1', amount }];
  const euros = { ...of, currency: 'EUR' };
  expect(allocatePayment(euros, 10, apply(20_000))).toMatchObject({
    detail: 'At most EUR 100.50 of INV-1 is due.',
  });
  expect(allocatePayment({ ...of, currency: 'JPY' }, 10, apply(31))).toMatchObject({
    detail: 'With the credit balance of JPY 20, at most JPY 30 can be applied.',
  });
  expect(allocateRefund(euros, 21)).toMatchObject({
    detail: 'At most EUR 0.20 can be paid back.',
  });
});

test.each([
  ['2026-12-08', 'not_due', 0],
  ['2026-12-09', 'days_1_30', 1],
  ['2027-01-07', 'days_1_30', 30],
  ['2027-01-08', 'days_31_60', 31],
  ['2027-03-08', 'days_61_90', 90],
  ['2027-03-09', 'over_90', 91],
])('on %s an invoice due on 8 December is %s', (date, age, days) => {
  const books = new Books();
  books.record(books.sell('id-1', 100));
  const { open, ageing } = accountStatement(books.items, books.events, new Map(), date);
  expect(open).toMatchObject([{ age, days_overdue: days, due: 120 }]);
  expect(ageing).toMatchObject({ [age]: 120 });
});
