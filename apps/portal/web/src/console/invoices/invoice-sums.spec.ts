import { sumsOf } from './invoice-sums.js';

const state = { status: 'issued', paid: 0, credited: 0, due: 70 } as const;

test('sums stand by currency, in the order in which these come', () => {
  expect(
    sumsOf([
      { currency: 'EUR', total: 100, state },
      { currency: 'USD', total: 10, state: { ...state, due: 10 } },
      { currency: 'EUR', total: 30, state: { ...state, due: -5 } },
    ]),
  ).toEqual([
    { currency: 'EUR', count: 2, total: 130, due: 65 },
    { currency: 'USD', count: 1, total: 10, due: 10 },
  ]);
  expect(sumsOf([])).toEqual([]);
});
