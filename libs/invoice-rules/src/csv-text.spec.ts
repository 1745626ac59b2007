import fc from 'fast-check';
import { quotedCell, safeText } from './csv-text.js';

test.each([
  ['=1+1', "'=1+1"],
  ['+49 30 1', "'+49 30 1"],
  ['-1', '-1'],
  ['-12.50', '-12.50'],
  ['-12.50 EUR', "'-12.50 EUR"],
  ['-1+1', "'-1+1"],
  ['-', "'-"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1', "'＝1"],
  ['\tx', "'\tx"],
  ['\rx', "'\rx"],
  ['\nx', "'\nx"],
  [' =1', "' =1"],
  ['"=1', '\'"=1'],
  ['%1', "'%1"],
  ['|1', "'|1"],
  ['a;=1', "a;'=1"],
  ['a,-1;+1', "a,'-1;'+1"],
  ['a\t =1', "a\t' =1"],
  ['a;"=1', 'a;\'"=1'],
  ['a\r\n=1', "a\r\n'=1"],
  ['\t=1', "'\t'=1"],
  ['a=1', 'a=1'],
  ['2026-11-24, no formula', '2026-11-24, no formula'],
  ["'=1", "'=1"],
  ['', ''],
])('the text %j is written as %j', (text, safe) => {
  expect(safeText(text)).toBe(safe);
});

test.each([
  ['plain text', 'plain text'],
  ['a;b', '"a;b"'],
  ['a,b', '"a,b"'],
  ['a\tb', '"a\tb"'],
  ['a"b', '"a""b"'],
  ['a\rb', '"a\rb"'],
  ['a\nb', '"a\nb"'],
  [' a', '" a"'],
])('the cell %j is written as %j', (text, quoted) => {
  expect(quotedCell(text)).toBe(quoted);
});

test('wherever a reader of any locale cuts a line, no part of it is a formula', () => {
  const text = fc.string({
    unit: fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      '|',
      '%',
      'a',
      ' ',
      ';',
      ',',
      '"',
      "'",
      '\t',
      '\r',
      '\n',
    ),
  });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), (cells) => {
      const line = cells.map((cell) => quotedCell(safeText(cell))).join(',');
      for (const part of line.split(/[;,\t\r\n]/)) expect(part).not.toMatch(/^[\s"]*[=+\-@|%]/);
    }),
  );
});
