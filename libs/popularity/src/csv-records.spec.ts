import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { CsvRecords } from './csv-records.js';

interface Read {
  readonly records: (readonly string[])[];
  readonly lines: number[];
  readonly faults: string[];
}

function read(bytes: Buffer, pieceSize = bytes.length): Read {
  const result: Read = { records: [], lines: [], faults: [] };
  const csv = new CsvRecords({
    record: (line, fields) => {
      result.records.push(fields);
      result.lines.push(line);
    },
    fault: (line, reason) => result.faults.push(`${line}: ${reason}`),
  });
  for (let at = 0; at < bytes.length; at += pieceSize) csv.push(bytes.subarray(at, at + pieceSize));
  csv.end();
  return result;
}

const NOT_UTF8 = '2: is not UTF-8, perhaps Latin-1: save the file as UTF-8';

describe('records of a CSV file', () => {
  it('are those that another reader finds, however the bytes come in', () => {
    const field = fc.string({ unit: fc.constantFrom('a', 'é', '설', '😀', ' ', ',', '"', '\n') });
    const rows = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { minLength: 1 });
    const settings = fc.record({
      bom: fc.boolean(),
      record_delimiter: fc.constantFrom('\n', '\r\n'),
      quoted: fc.boolean(),
      eof: fc.boolean(),
    });
    fc.assert(
      fc.property(rows, settings, fc.integer({ min: 1, max: 40 }), (data, options, size) => {
        const bytes = Buffer.from(stringify(data, { ...options, quoted_match: '\n' }));
        const expected = parse(bytes, {
          bom: true,
          relax_column_count: true,
          record_delimiter: ['\r\n', '\n'],
        });
        const { records, faults } = read(bytes, size);
        expect(faults).toEqual([]);
        expect(records).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('carry the line they begin on, empty lines and lines inside quotes counted', () => {
    const { lines, records } = read(Buffer.from('a,b\n\n"c\nc",d\r\n\r\ne,f'));
    expect(lines).toEqual([1, 3, 6]);
    expect(records).toEqual([
      ['a', 'b'],
      ['c\nc', 'd'],
      ['e', 'f'],
    ]);
  });

  it.each<[string, Buffer, string, number]>([
    ['a quote inside a field', Buffer.from('a\nb"c\nd\n'), '2: a quote stands inside a field', 2],
    ['text after a quote', Buffer.from('a\n"b"c\nd\n'), '2: a quote stands inside a field', 2],
    ['a quote left open', Buffer.from('a\n"b\nd\n'), '2: a quoted field does not end', 1],
    ['bytes that are not UTF-8', Buffer.from([97, 10, 0xff, 10, 98]), NOT_UTF8, 3],
    ['a character cut in two', Buffer.from([97, 10, 0xc3, 10, 98]), NOT_UTF8, 3],
    ['many lines that are not UTF-8', Buffer.from('a\né\né\n'.repeat(2), 'latin1'), NOT_UTF8, 6],
    [
      'a line without an end',
      Buffer.from(`a\n${'é'.repeat(150_000)}\nb\n`),
      '2: a line is longer than 65536 characters',
      2,
    ],
    [
      'a quote left open in a long file',
      Buffer.from(`a\n"b\n${'xy\n'.repeat(30_000)}`),
      '2: a quoted field does not end',
      8156,
    ],
  ])('are read on after %s', (_name, bytes, fault, count) => {
    for (const size of [bytes.length, 4096]) {
      const { faults, records } = read(bytes, size);
      expect(faults).toEqual([fault]);
      expect(records).toHaveLength(count);
    }
  });
});
