import { readBy, readOnly, readUsageSearch, writeOnly } from './usage-search.js';

test('what is no dimension, and what comes twice, is left out; without any it is by day', () => {
  expect(readBy('day,kind,day,moon')).toEqual(['day', 'kind']);
  expect(readBy(undefined)).toEqual(['day']);
  expect(readBy('moon')).toEqual(['day']);
  expect(readBy('tag,tag:team,tag:')).toEqual(['tags', 'tag:team']);
});

test('narrowings in the address are read as they were written', () => {
  const narrowings = [
    { dimension: 'rule', value: 'top 5' },
    { dimension: 'tag:team', value: 'nails v1.0' },
    { dimension: 'tag:project', value: '' },
    { dimension: 'tags', value: 'project=autumn, team=nails' },
  ] as const;
  expect(writeOnly(narrowings)).toContain(';tag:team=nails v1.0;tag:project;');
  expect(readOnly(writeOnly(narrowings))).toEqual(narrowings);
  expect(readOnly('moon:full')).toEqual([]);
  expect(readOnly('tag:=nails;tag:Team=x;rule:')).toEqual([]);
  expect(readOnly(undefined)).toEqual([]);
});

test('the address holds texts alone, and days that there are', () => {
  expect(readUsageSearch({ from: '2026-99-99', to: 'soon' })).toEqual({});
  expect(readUsageSearch({ from: '2026-11-01', by: 5, to: '', x: 'y' })).toEqual({
    from: '2026-11-01',
  });
});
