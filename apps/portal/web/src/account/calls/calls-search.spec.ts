import { filterOf, readCallsSearch, startOf } from './calls-search.js';

test('the address may hold every filter, and the call that is explained beside it', () => {
  const search = readCallsSearch({ kind: 'base', tag: 'team=a', call: 'id', unknown: 'x', to: '' });
  expect(search).toEqual({ kind: 'base', tag: 'team=a', call: 'id' });
  expect(filterOf(search)).toEqual({ kind: 'base', tag: 'team=a' });
});

test('a kind that is none is left out', () => {
  expect(readCallsSearch({ kind: 'free' })).toEqual({});
});

test('a day of the billing zone is the moment at which it begins', () => {
  expect(startOf('2026-11-24', 'Asia/Seoul')).toBe('2026-11-23T15:00:00.000Z');
  expect(startOf('2026-11-24T09:00:00Z', 'Asia/Seoul')).toBe('2026-11-24T09:00:00Z');
});
