import { formatMoney, moneyOf } from './money.js';

test.each([
  [79_343, 'EUR', '€793.43'],
  [0, 'EUR', '€0.00'],
  [-12_668, 'USD', '−US$126.68'],
  [500, 'JPY', '¥500'],
  [1_234_567, 'KWD', 'KWD 1,234.567'],
  [61_775, 'HUF', 'HUF 617.75'],
  [61_775, 'IQD', 'IQD 61.775'],
  [5, 'IDR', 'IDR 0.05'],
])('%p minor units of %s read %s', (minor, currency, text) => {
  expect(formatMoney(minor, currency).replace(/\s/g, ' ').replace('JP¥', '¥')).toBe(text);
});

test('credits are worth what a thousand of them cost', () => {
  const price = { per_1000_credits: 1_250, currency: 'EUR' };
  expect(moneyOf(49_420, price)).toBe('€617.75');
  expect(moneyOf(49_420, null)).toBeUndefined();
});
