import { nextSort, sorted } from './sorted.js';

const ROWS = [
  { name: 'b', credits: 5 },
  { name: 'a', credits: null },
  { name: 'c', credits: 70 },
] as const;
const valueOf = (row: (typeof ROWS)[number], name: string) => row[name as 'name' | 'credits'];

test.each([
  ['', 'b,a,c'],
  ['name', 'a,b,c'],
  ['-name', 'c,b,a'],
  ['credits', 'b,c,a'],
  ['-credits', 'c,b,a'],
])('rows by "%s" come as %s, those without a value last', (sort, names) => {
  expect(sorted(ROWS, sort, valueOf).map(({ name }) => name)).toEqual(names.split(','));
});

test('a column is sorted by a click, and turned round by the next', () => {
  expect(nextSort('', 'name', false)).toBe('name');
  expect(nextSort('name', 'name', false)).toBe('-name');
  expect(nextSort('-name', 'name', false)).toBe('name');
  expect(nextSort('name', 'credits', true)).toBe('-credits');
  expect(nextSort('-credits', 'credits', true)).toBe('credits');
});
