import { raisedCard } from './raised-prices.js';

const card = {
  product: 'v1',
  repeat: 'week' as const,
  call_cost: 10,
  rules: [
    { name: 'all', match: {}, data_cost: { flat: 49_990 } },
    { name: 'rest', match: {}, data_cost: { per_row: 5 } },
  ],
};

test.each([
  ['1.1', ['11', '54989', '5.5'], [11, 54_989, 6]],
  ['1,1', ['11', '54989', '5.5'], [11, 54_989, 6]],
  ['1', ['10', '49990', '5'], [10, 49_990, 5]],
  ['0.97', ['9.7', '48490.3', '4.85'], [10, 48_490, 5]],
  ['1.000001', ['10.00001', '49990.04999', '5.000005'], [10, 49_990, 5]],
])('prices times %s are exactly %j, rounded %j', (factor, exactly, after) => {
  const found = raisedCard(card, factor);
  expect(found?.prices.map((price) => price.exactly)).toEqual(exactly);
  expect(found?.prices.map((price) => price.after)).toEqual(after);
  expect([
    found?.draft.call_cost,
    ...(found?.draft.rules ?? []).map((rule) => rule.credits),
  ]).toEqual(after);
});

test('prices of units are raised one by one', () => {
  const data_cost = { per: { input_tokens: 3, output_tokens: 12 }, of: 1_000 };
  const found = raisedCard({ ...card, rules: [{ name: 'chat', match: {}, data_cost }] }, '1.5');
  expect(found?.prices.map(({ name, after }) => [name, after])).toEqual([
    ['every call', 15],
    ['chat, input_tokens (by 1000)', 5],
    ['chat, output_tokens (by 1000)', 18],
  ]);
  expect(found?.draft.rules[0]?.units).toEqual({
    per: { input_tokens: 5, output_tokens: 18 },
    of: 1_000,
  });
});

test.each(['', '0', '0.00', '-1', 'abc', '1.1.1', '1e3', '1000'])('%j is no factor', (text) => {
  expect(raisedCard(card, text)).toBeNull();
});
