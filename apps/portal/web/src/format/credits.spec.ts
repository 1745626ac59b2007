import {
  changePercent,
  formatChange,
  formatCompact,
  formatCount,
  formatCredits,
  formatNumber,
  formatShare,
} from './credits.js';

test.each([
  [0, '0'],
  [999, '999'],
  [5_000_000, '5,000,000'],
  [-1_250, '−1,250'],
])('the number %p is grouped: %p', (value, text) => {
  expect(formatNumber(value)).toBe(text);
});

test('the unit stands in the singular for one alone', () => {
  expect([0, 1, -1, 2].map(formatCredits)).toEqual([
    '0 credits',
    '1 credit',
    '−1 credit',
    '2 credits',
  ]);
  expect(formatCount(1, 'call')).toBe('1 call');
  expect(formatCount(1_200, 'call')).toBe('1,200 calls');
});

test('the axes of charts are short', () => {
  expect([49_990, 1_760, 6_000_000].map(formatCompact)).toEqual(['50k', '1.8k', '6m']);
});

test.each([
  [12.34, '+12.3 %'],
  [21, '+21.0 %'],
  [-4.56, '−4.6 %'],
  [0.01, '0 %'],
  [0, '0 %'],
  [null, '–'],
])('a change of %p percent reads %p', (percent, text) => {
  expect(formatChange(percent)).toBe(text);
});

test('a share reads as percent, and as a dash where it is unknown', () => {
  expect(formatShare(0.4567)).toBe('45.7 %');
  expect(formatShare(null)).toBe('–');
});

test('against nothing there is no change', () => {
  expect(changePercent(5, 0)).toBeNull();
  expect(changePercent(150, 100)).toBe(50);
  expect(changePercent(50, 100)).toBe(-50);
});
