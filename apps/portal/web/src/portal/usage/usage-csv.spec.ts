import { usageColumns } from './usage-columns.js';
import { usageCsv } from './usage-csv.js';
import type { ComparedRow } from './usage-rows.js';
import type { Dimension } from '../../rest/answers.js';

const sums = { calls: 2, callCost: 20, dataCost: 25, credits: 45, before: null };
const PRICE = { per_1000_credits: 1_250, currency: 'USD' };

function csvOf(
  by: readonly Dimension[],
  rows: readonly ComparedRow[],
  price: typeof PRICE | null = null,
) {
  const columns = usageColumns({ by, price, isCompared: rows.some((row) => row.before !== null) });
  return usageCsv({ columns, rows, price, nameOf: (_, value) => `Name of ${value}` });
}

test('the file holds the columns and rows that are shown, in their order', () => {
  const rows = [
    { values: ['2026-11-17', 'top 5'], ...sums },
    { values: ['2026-11-18', 'time "series", all'], ...sums },
  ];
  expect(csvOf(['day', 'rule'], rows)).toBe(
    [
      'day,rule,credits,calls,call_cost,data_cost',
      '2026-11-17,top 5,45,2,20,25',
      '2026-11-18,"time ""series"", all",45,2,20,25',
      '',
    ].join('\r\n'),
  );
});

test('money, the period before and the change are in it too', () => {
  const rows = [
    { values: ['us'], ...sums, before: 30 },
    { values: ['gb'], ...sums, before: 0 },
  ];
  expect(csvOf(['region'], rows, PRICE)).toBe(
    [
      'region,credits,before_tax_USD,before,change,calls,call_cost,data_cost',
      'us,45,0.56,30,50.0,2,20,25',
      'gb,45,0.56,0,,2,20,25',
      '',
    ].join('\r\n'),
  );
});

test('names stand beside URLs and ids of API keys', () => {
  expect(csvOf(['key', 'api_key'], [{ values: ['/v1/a', '1f'], ...sums }])).toBe(
    [
      'key,key_name,api_key,api_key_name,credits,calls,call_cost,data_cost',
      '/v1/a,Name of /v1/a,1f,Name of 1f,45,2,20,25',
      '',
    ].join('\r\n'),
  );
});

test('a value that a spreadsheet would run as a formula begins with an apostrophe', () => {
  expect(csvOf(['tags'], [{ values: ['=cmd()'], ...sums }])).toContain("\r\n'=cmd(),");
  const other = csvOf(['tags'], [{ values: ['a;=cmd()'], ...sums }]);
  expect(other).toContain('\r\n"a;\'=cmd()",');
});
