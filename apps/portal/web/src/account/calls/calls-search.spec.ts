import { filterOf, readCallsSearch, startOf, inOrder } from './calls-search.js';

test('the address may hold every filter, and the call that is explained beside it', () => {
  const search = readCallsSearch({ kind: 'base', tag: 'team=a', call: 'id', unknown: 'x', to: '' });
  expect(search).toEqual({ kind: 'base', tag: 'team=a', call: 'id' });
  expect(filterOf(search)).toEqual({ kind: 'base', tag: 'team=a' });
});

test('a kind, a day or a moment that is none is left out', () => {
  expect(readCallsSearch({ kind: 'free' })).toEqual({});
  expect(readCallsSearch({ from: '2026-99-99', to: 'soon' })).toEqual({});
  const span = { from: '2026-11-24', to: '2026-11-24T09:00:00Z' };
  expect(readCallsSearch(span)).toEqual(span);
});

test('the newest calls come first unless the address holds another order', () => {
  const oldest = readCallsSearch({ kind: 'base', order: 'asc' });
  expect(oldest).toEqual({ kind: 'base', order: 'asc' });
  expect(filterOf(oldest)).toEqual({ kind: 'base' });
  expect(inOrder(oldest, 'asc')).toEqual({ kind: 'base' });
  expect(inOrder({ kind: 'base' }, 'asc')).toEqual(oldest);
  expect(inOrder(oldest, 'credits')).toEqual({ kind: 'base', order: 'credits' });
  expect(readCallsSearch({ order: 'credits' })).toEqual({ order: 'credits' });
  expect(readCallsSearch({ order: 'desc' })).toEqual({});
});

test('a day of the billing zone is the moment at which it begins', () => {
  expect(startOf('2026-11-24', 'Asia/Seoul')).toBe('2026-11-23T15:00:00.000Z');
  expect(startOf('2026-11-24T09:00:00Z', 'Asia/Seoul')).toBe('2026-11-24T09:00:00Z');
});
