import { readBy, readOnly, readUsageSearch, writeOnly } from './usage-search.js';

test('what is no dimension, and what comes twice, is left out; without any it is by day', () => {
  expect(readBy('day,kind,day,moon')).toEqual(['day', 'kind']);
  expect(readBy(undefined)).toEqual(['day']);
  expect(readBy('moon')).toEqual(['day']);
});

test('narrowings in the address are read as they were written', () => {
  const narrowings = [
    { dimension: 'rule', value: 'top 5' },
    { dimension: 'tag', value: 'team=nails: spring' },
  ] as const;
  expect(readOnly(writeOnly(narrowings))).toEqual(narrowings);
  expect(readOnly('moon:full')).toEqual([]);
  expect(readOnly(undefined)).toEqual([]);
});

test('the address holds texts alone, and days that there are', () => {
  expect(readUsageSearch({ from: '2026-99-99', to: 'soon' })).toEqual({});
  expect(readUsageSearch({ from: '2026-11-01', by: 5, to: '', x: 'y' })).toEqual({
    from: '2026-11-01',
  });
});
