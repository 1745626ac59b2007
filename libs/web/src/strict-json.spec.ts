import fc from 'fast-check';
import { escapePointer, parseStrictJson } from './strict-json.js';

describe('strict JSON', () => {
  it('reads whatever JSON.parse reads, to the same value', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        fc.integer({ min: 0, max: 2 }),
        (value, indent) => {
          const text = JSON.stringify(value, null, indent);
          if (/__proto__|[\ud800-\udfff]|\\ud[89a-f]/i.test(text)) return;
          expect(parseStrictJson(text)).toEqual({ outcome: 'value', value: JSON.parse(text) });
        },
      ),
    );
  });

  it('reads or refuses any text as JSON.parse does, but for what it adds', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from('{}[]",:\\u01e-+. \ntruefalsn')) }),
        (text) => {
          const ours = parseStrictJson(text);
          let theirs: unknown;
          try {
            theirs = JSON.parse(text);
          } catch {
            expect(ours.outcome).toBe('fault');
            return;
          }
          if (ours.outcome === 'value')
            expect(JSON.stringify(ours.value)).toBe(JSON.stringify(theirs));
          else expect(ours.fault.detail).toMatch(/twice|surrogate|too large|exactly/);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['', '', 'A JSON value is missing (line 1, column 1).'],
    ['{"a":1,"a":2}', '/a', 'The member "a" is there twice (line 1, column 11).'],
    ['{"b":{"a/~":1,"a/~":2}}', '/b/a~1~0', 'there twice'],
    ['{"a":{"__proto__":{}}}', '/a/__proto__', '__proto__'],
    ['{"a":[1,2,\n x]}', '/a/2', 'A JSON value is missing (line 2, column 2).'],
    ['{"a":1', '', 'A comma or "}" is missing'],
    ['[1', '', 'A comma or "]" is missing'],
    ['{"a" 1}', '/a', 'A colon is missing'],
    ['{a:1}', '', 'begins with its name in quotes'],
    ['{"a":1,}', '', 'begins with its name in quotes'],
    ['[1,]', '/1', 'A JSON value is missing'],
    ['"a', '', 'not closed'],
    ['"\\x"', '', 'bad escape'],
    ['"a\nb"', '', 'control character'],
    ['"\\ud800"', '', 'surrogate'],
    ['1e999', '', 'too large'],
    ['{"a":[4503599627370497.5]}', '/a/0', 'it would be 4503599627370498 (line 1, column 25).'],
    ['9007199254740993', '', 'The number 9007199254740993 is not held exactly'],
    ['10000000000000001', '', 'exactly'],
    ['1.0000000000000001', '', 'it would be 1'],
    ['0.99999999999999999', '', 'it would be 1'],
    ['1e-400', '', 'it would be 0'],
    ['-1e-9999999999999999999999', '', 'it would be 0'],
    ['1.00000000000000000000000000000000000000000000001e2', '', 'it would be 100'],
    ['01', '', 'Something follows'],
    ['1 2', '', 'Something follows'],
    ['nul', '', 'A JSON value is missing'],
    ['NaN', '', 'A JSON value is missing'],
    [`${'['.repeat(100)}${']'.repeat(100)}`, `${'/0'.repeat(65)}`, 'Nested deeper'],
  ])('says where %j is at fault', (text, pointer, detail) => {
    const parsed = parseStrictJson(text);
    expect(parsed).toMatchObject({ outcome: 'fault', fault: { pointer } });
    expect(parsed.outcome === 'fault' && parsed.fault.detail).toContain(detail);
  });

  it.each([
    ['-0', 0],
    ['-0.0e5', 0],
    ['0e999', 0],
    ['1.50', 1.5],
    ['0.1', 0.1],
    ['0.30000000000000004', 0.30000000000000004],
    ['100e-2', 1],
    ['1E+2', 100],
    ['5e-324', 5e-324],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['9007199254740991.000000', Number.MAX_SAFE_INTEGER],
    ['0.0000001', 1e-7],
    ['1000000000000000000000', 1e21],
  ])('reads the number %s as it is', (text, value) => {
    expect(parseStrictJson(text)).toStrictEqual({ outcome: 'value', value });
  });

  it('reads whatever number a program writes', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const read = parseStrictJson(JSON.stringify(value));
        expect(read).toEqual({ outcome: 'value', value: value === 0 ? 0 : value });
      }),
      { numRuns: 2000 },
    );
  });

  it('reads a long string without running out of stack', () => {
    const text = JSON.stringify('x'.repeat(1_000_000));
    expect(parseStrictJson(text)).toMatchObject({ outcome: 'value' });
  });

  it('escapes names in pointers', () => {
    expect(escapePointer('a/b~c')).toBe('a~1b~0c');
  });
});
