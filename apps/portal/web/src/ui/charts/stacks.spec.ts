import { barsOf, highest, piecesOf } from './stacks.js';

const before = { name: 'before', label: 'before', color: '' };
const now = { name: 'now', label: 'now', color: '', stackId: 'now' };
const ahead = { name: 'ahead', label: 'ahead', color: '', stackId: 'now', isAhead: true };
const SERIES = [before, now, ahead];

test('series of a stack stand on each other, and stacks side by side', () => {
  const pieces = piecesOf({ before: 5, now: 20, ahead: 7 }, SERIES, false);
  expect(barsOf(SERIES, false)).toEqual(['before', 'now']);
  expect(pieces.map(({ bar, from, value }) => [bar, from, value])).toEqual([
    [0, 0, 5],
    [1, 0, 20],
    [1, 20, 7],
  ]);
  expect(highest([pieces])).toBe(27);
});

test('stacked, all of a row is one bar, and nothing is drawn of a zero', () => {
  const pieces = piecesOf({ before: 5, now: 0, ahead: 7 }, SERIES, true);
  expect(barsOf(SERIES, true)).toHaveLength(1);
  expect(pieces.map(({ bar, from, value }) => [bar, from, value])).toEqual([
    [0, 0, 5],
    [0, 5, 7],
  ]);
});
