import { tasksOf } from './tasks.js';

type Of = Parameters<typeof tasksOf>[0];
type Money = Of['money'][number];

const IDLE: Of = {
  test: false,
  money: [],
  open_disputes: { disputes: 0, accounts: 0 },
  without_credits: { accounts: 0, first: [] },
  refusals: { since: '2026-11-25T09:00:00Z', calls: 0, accounts: 0, reasons: [] },
};

function moneyOf(currency: string, sums: Partial<Money>): Money {
  return {
    currency,
    months: [],
    due: 0,
    overdue: 0,
    overdue_invoices: 0,
    ageing: { not_due: 0, days_1_30: 0, days_31_60: 0, days_61_90: 0, over_90: 0 },
    held_invoices: 0,
    held_total: 0,
    liability: 0,
    accounts: [],
    ...sums,
  };
}

test('what does not wait is not listed', () => {
  expect(tasksOf(IDLE)).toEqual([]);
  expect(tasksOf({ ...IDLE, money: [moneyOf('EUR', { due: 100 })] })).toEqual([]);
});

test('a line has the count over all currencies, an amount in each, and the list it is on', () => {
  const money = [
    moneyOf('EUR', { held_invoices: 1, held_total: 700, overdue: 100, overdue_invoices: 2 }),
    moneyOf('USD', { held_invoices: 2, held_total: 900 }),
  ];
  expect(tasksOf({ ...IDLE, money, test: true })).toMatchObject([
    {
      name: 'Held invoices',
      count: '3',
      amounts: [
        { minor: 700, currency: 'EUR' },
        { minor: 900, currency: 'USD' },
      ],
      search: { status: 'held', test: true },
    },
    { name: 'Overdue invoices', count: '2', amounts: [{ minor: 100, currency: 'EUR' }] },
  ]);
});

test('five accounts without credits are named, however many there are', () => {
  const first = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ account_id: id, account_name: id }));
  const [task] = tasksOf({ ...IDLE, without_credits: { accounts: 12, first } });
  expect(task).toMatchObject({ count: '12', to: '/accounts' });
  expect(task?.accounts.map(({ account_id: id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('open orders come first, with their accounts and their prices by currency', () => {
  const order = { account_id: 'a', account_name: 'Nova', price: 500, currency: 'EUR' };
  const [task] = tasksOf(IDLE, [order, order, { ...order, price: 9, currency: 'JPY' }]);
  expect(task).toMatchObject({
    count: '3',
    amounts: [
      { minor: 1_000, currency: 'EUR' },
      { minor: 9, currency: 'JPY' },
    ],
    accounts: [{ account_name: 'Nova' }, {}, {}],
  });
});
