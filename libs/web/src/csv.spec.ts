import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { safeText } from '#invoice-rules/csv-text.js';
import { csvCell, csvTable } from './csv.js';

describe('a cell', () => {
  it.each([
    ['plain', 'plain'],
    [12, '12'],
    [-12.5, '-12.5'],
    [true, 'true'],
    [null, ''],
    [undefined, ''],
    [9007199254740993n, '9007199254740993'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    [' led', '" led"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-12.50', '-12.50'],
    ['-1+1', "'-1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['|calc', "'|calc"],
    ['\t=1', '"\'\t\'=1"'],
    ['a;b', '"a;b"'],
    ['a;=1', '"a;\'=1"'],
    ['a\tb', '"a\tb"'],
    [' =1', "' =1"],
    ['\r=1', '"\'\r\'=1"'],
    ['a=1', 'a=1'],
  ])('of %j is %j', (cell, text) => {
    expect(csvCell(cell)).toBe(text);
  });
});

describe('a table', () => {
  it('is read back cell by cell by another reader', () => {
    const columns = [
      { name: 'one', cell: (row: readonly string[]) => row[0] },
      { name: 'two', cell: (row: readonly string[]) => row[1] },
    ];
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (rows) => {
        const read = parse(csvTable(columns, rows), { record_delimiter: '\r\n' });
        expect(read).toEqual([['one', 'two'], ...rows.map((row) => row.map(safeText))]);
      }),
    );
  });
});
