import { usageCsv } from './usage-csv.js';

const sums = { calls: 2, callCost: 20, dataCost: 25, credits: 45 };

test('the file holds the columns and rows that are shown, in their order', () => {
  const rows = [
    { values: ['2026-11-17', 'top 5'], ...sums },
    { values: ['2026-11-18', 'time "series", all'], ...sums },
  ];
  expect(usageCsv(['day', 'rule'], rows)).toBe(
    [
      'day,rule,calls,call_cost,data_cost,credits_used',
      '2026-11-17,top 5,2,20,25,45',
      '2026-11-18,"time ""series"", all",2,20,25,45',
      '',
    ].join('\r\n'),
  );
});

test('a value that a spreadsheet would run as a formula begins with an apostrophe', () => {
  const csv = usageCsv(['tags'], [{ values: ['=cmd()'], ...sums }]);
  expect(csv).toContain("\r\n'=cmd(),");
  const other = usageCsv(['tags'], [{ values: ['a;=cmd()'], ...sums }]);
  expect(other).toContain('\r\n"a;\'=cmd()",');
});
