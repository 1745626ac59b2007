import fc from 'fast-check';
import { brokenLines, oneLine } from './line-breaks.js';

const atMost = (width: number) => (text: string) => text.length <= width;

test.each([
  ['what fits', 'one two', 7, ['one two']],
  ['words', 'one two three', 7, ['one two', 'three']],
  ['after hyphens', 'north-west', 6, ['north-', 'west']],
  ['words that are too long', 'abcdefgh ij', 3, ['abc', 'def', 'gh', 'ij']],
  ['between characters of Chinese', '上海示例', 2, ['上海', '示例']],
  ['nothing', '', 5, ['']],
])('%s: broken where it may be', (_name, text, width, lines) => {
  expect(brokenLines(text, atMost(width))).toEqual(lines);
});

test('no character is lost, and no line is too long', () => {
  const cases = fc.tuple(fc.string({ unit: 'grapheme' }), fc.integer({ min: 12, max: 30 }));
  fc.assert(
    fc.property(cases, ([raw, width]) => {
      const text = oneLine(raw);
      const lines = brokenLines(text, atMost(width));
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      expect(lines.filter((line) => line.length > width)).toEqual([]);
    }),
  );
});

test('a text becomes one line of whole, composed characters', () => {
  expect(oneLine(' Zoe\u0308\r\n\tB\u0000 \ud800 ')).toBe('Zoë B \ufffd');
});

test('nothing turns the direction of other characters', () => {
  expect(oneLine('Paid \u202e00.5\u202c \u2067EUR\u2069')).toBe('Paid 00.5 EUR');
});
