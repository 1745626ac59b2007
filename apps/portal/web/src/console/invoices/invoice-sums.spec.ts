import { sumsOf } from './invoice-sums.js';

const state = { status: 'issued', paid: 0, credited: 0, due: 70 } as const;
const sold = { currency: 'EUR', total: 100, state, test: false } as const;

test('sums stand by currency, in the order in which these come', () => {
  expect(
    sumsOf([
      sold,
      { ...sold, currency: 'USD', total: 10, state: { ...state, due: 10 } },
      { ...sold, total: 30, state: { ...state, due: -5 } },
    ]),
  ).toEqual([
    { kind: 'issued', currency: 'EUR', count: 2, total: 130, due: 65 },
    { kind: 'issued', currency: 'USD', count: 1, total: 10, due: 10 },
  ]);
  expect(sumsOf([])).toEqual([]);
});

test('issued, held and test invoices are never added up together', () => {
  const held = { ...sold, state: { ...state, status: 'held' } } as const;
  expect(
    sumsOf([sold, held, { ...sold, test: true }, { ...held, test: true }, sold]).map(
      ({ kind, count, total }) => [kind, count, total],
    ),
  ).toEqual([
    ['issued', 2, 200],
    ['held', 1, 100],
    ['test', 1, 100],
    ['held test', 1, 100],
  ]);
});
