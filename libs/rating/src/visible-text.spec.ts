import { holdsInvisible, isVisible } from './visible-text.js';

const named = (text: string) =>
  Array.from(text, (each) => `U+${each.codePointAt(0)?.toString(16)}`).join(' ');
const cases = (texts: readonly string[]) => texts.map((text) => [named(text), text] as const);

/** Blanks, joiners, fillers, marks of direction, tags, selectors, and marks without a letter. */
const UNSEEN = [
  '',
  ' ',
  '\u00a0',
  '\u2003',
  '\u3000',
  '\u00ad',
  '\u034f',
  '\u061c',
  '\u115f',
  '\u1160',
  '\u17b4',
  '\u180e',
  '\u200b',
  '\u200d',
  '\u200f',
  '\u2028',
  '\u202e',
  '\u2060',
  '\u2064',
  '\u206f',
  '\u2800',
  '\u3164',
  '\ufe0f',
  '\ufeff',
  '\uffa0',
  '\u{13441}',
  '\u{1d159}',
  '\u{1d173}',
  '\u{e0001}\u{e0041}',
  '\u{e0100}',
  '\u0301',
  '\u0378',
  ' \u200b\u3164\u2800 ',
];
const SEEN = [
  'A',
  '7',
  '-',
  '€',
  'é',
  'e\u0301',
  '한',
  '株',
  'अ',
  'ن',
  '❤️',
  '👩‍💻',
  '🇩🇪',
  '⠓',
  '\u200bA',
];

test.each(cases(UNSEEN))('%s shows nothing', (_what, text) => {
  expect(isVisible(text)).toBe(false);
});

test.each(cases(SEEN))('%s shows something', (_what, text) => {
  expect(isVisible(text)).toBe(true);
});

test('what nobody sees is found in a text', () => {
  const found = ['DE\u200b1', 'a\u00ad', '\u3164', 'x\u{e0041}', 'a\ufeffb', 'a\u2800'];
  expect(found.filter(holdsInvisible)).toEqual(found);
  expect(['DE 123 456', 'Ü-7/é', '04011000-12345-03', '株式'].filter(holdsInvisible)).toEqual([]);
});
