import { fillText, placeholdersOf } from './fill-text.js';

test('every place of a text has its value, as it is', () => {
  const values = { from: '{to}', to: '$& 1', other: 'x' };
  expect(fillText('{from} to {to}, from {from}', values)).toBe('{to} to $& 1, from {to}');
  expect(fillText('Nothing', {})).toBe('Nothing');
});

test('a value that is missing is an error', () => {
  expect(() => fillText('{from} to {to}', { from: 'a' })).toThrow('lacks a value for to');
});

test('places are named in order', () => {
  expect(placeholdersOf('{to} {from}{to}')).toEqual(['from', 'to', 'to']);
});
