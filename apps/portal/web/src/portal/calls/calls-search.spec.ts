import { filterOf, readCallsSearch } from './calls-search.js';

test('the address may hold every filter, and the call that is explained beside it', () => {
  const search = readCallsSearch({ kind: 'base', tag: 'team=a', call: 'id', unknown: 'x', to: '' });
  expect(search).toEqual({ kind: 'base', tag: 'team=a', call: 'id' });
  expect(filterOf(search)).toEqual({ kind: 'base', tag: 'team=a' });
});

test('a kind that is none is left out', () => {
  expect(readCallsSearch({ kind: 'free' })).toEqual({});
});
