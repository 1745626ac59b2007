import { taxWords } from './tax-words.js';

test.each([
  ['S', 20, 'Standard rate, 20 %'],
  ['S', 5.5, 'Standard rate, 5.5 %'],
  ['AE', 0, 'Reverse charge'],
  ['O', 0, 'Outside the scope of VAT'],
] as const)('the category %s at %d %% reads as %s', (category, rate_percent, words) => {
  expect(taxWords({ category, rate_percent })).toBe(words);
});
