import { purchasePrice } from './purchase-price.js';

test('a package costs what its invoice will state: the tax of the billing details, else the plan’s, else none', () => {
  const tax = { category: 'S', rate_percent: 20 } as const;
  const plan = { monthly_fee: 0, included_credits: 0, price_per_1000_credits: 0, tax };
  const own = { category: 'S', rate_percent: 19 } as const;
  expect(purchasePrice(1_003, plan, own)).toEqual({
    net: 1_003,
    tax: 191,
    total: 1_194,
    ratePercent: 19,
  });
  expect(purchasePrice(1_000, plan)).toMatchObject({ tax: 200, total: 1_200 });
  expect(purchasePrice(1_000, null)).toMatchObject({ tax: 0, total: 1_000, ratePercent: 0 });
});
