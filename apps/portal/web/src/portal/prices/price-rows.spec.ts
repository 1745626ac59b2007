import { creditsIn, matchWords, priceRows } from './price-rows.js';
import type { Prices } from '../../rest/answers.js';

const TOP = { name: 'top 5', match: { limit: 'top5' }, data_cost: { flat: 25 } } as const;
const REST = { name: 'per row', match: {}, data_cost: { per_row: 5 } } as const;
const card = { version: 1, effective_window: null, effective_from: null, weekly_credits: 0 };
const NOW = { ...card, call_cost: 10, rules: [TOP, REST] };
const CHANGES = {
  call_cost: { before: 10, after: 12 },
  rules: { added: [], removed: [], changed: [], reordered: false },
};

function rows(next: Prices['next']) {
  return priceRows({ in_force: NOW, own: false, next });
}

test('without another card nothing changes', () => {
  expect(rows(null)).toEqual([
    { name: 'top 5', match: 'limit top5', now: '35', next: '35', isChanged: false },
    {
      name: 'per row',
      match: 'all else',
      now: '10 + 5 a row',
      next: '10 + 5 a row',
      isChanged: false,
    },
    {
      name: 'each repeat',
      match: 'the same URL again in its week',
      now: '10',
      next: '10',
      isChanged: false,
    },
  ]);
});

test('prices that change, come and go stand beside those in force', () => {
  const sun = {
    name: 'sun care',
    match: { category: 'sun-care' },
    data_cost: { flat: 7 },
  } as const;
  const rules = [sun, { ...REST, data_cost: { per_row: 6 } }];
  const found = rows({ ...NOW, call_cost: 12, rules, changes: CHANGES });
  expect(found.map(({ name, now, next }) => `${name}: ${now} > ${next}`)).toEqual([
    'top 5: 35 > 12 + 6 a row, by “per row”',
    'per row: 10 + 5 a row > 12 + 6 a row',
    'sun care: 10 + 5 a row, by “per row” > 19',
    'each repeat: 10 > 12',
  ]);
  expect(found.every(({ isChanged }) => isChanged)).toBe(true);
});

test('a rule that is renamed keeps its line, and its price', () => {
  const rules = [TOP, { ...REST, name: 'all' }];
  const found = rows({ ...NOW, rules, changes: CHANGES });
  expect(found.map(({ name, next, isChanged }) => [name, next, isChanged])).toEqual([
    ['top 5', '35', false],
    ['per row → all', '10 + 5 a row', false],
    ['each repeat', '10', false],
  ]);
});

test('a rule that matches something else at the same price is a change', () => {
  const rules = [{ ...TOP, match: { limit: 'top100' } } as const, REST];
  const [top] = rows({ ...NOW, rules, changes: CHANGES });
  expect(top).toMatchObject({ match: 'limit top100', isChanged: true });
});

test('what a rule matches reads as words', () => {
  expect(matchWords({ resource: 'trends', limit: 'all', category: 'beauty' })).toBe(
    'trends, limit all, category beauty',
  );
});

test.each([
  ['50,000', 50_000],
  ['10 + 5 a row', 10],
  ['', null],
])('the price "%s" sorts as %s', (words, credits) => {
  expect(creditsIn(words)).toBe(credits);
});
