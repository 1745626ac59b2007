import fc from 'fast-check';
import { plan } from '#account/scenario.suite.js';
import { taxOn, taxRow, taxTerms } from './tax.js';

// Net, rate, tax.
test.each([
  [66_675, 19, 12_668],
  [50, 19, 10],
  [150, 1, 2],
  [149, 1, 1],
  [250, 1, 3],
  [-250, 1, -3],
  [1_000, 7.7, 77],
  [1_000, 2.55, 26],
  [1_000, 0.04, 0],
  [1_250, 0.04, 1],
  [10_000, 8.875, 888],
  [99_999_999, 0.0001, 100],
  [100_000, 7.1235, 7_124],
  [12_345, 0, 0],
  [0, 20, 0],
  [9_007_199_254_740_991, 100, 9_007_199_254_740_991],
])('the tax on %d at %d %% is %d, rounded half up', (net, rate, tax) => {
  expect(taxOn(net, rate)).toBe(tax);
});

test('more net never bears less tax', () => {
  const rate = fc.integer({ min: 0, max: 1_000_000 }).map((scaled) => scaled / 10_000);
  fc.assert(
    fc.property(fc.nat(), fc.nat(), rate, (one, other, percent) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)];
      expect(taxOn(less, percent)).toBeLessThanOrEqual(taxOn(more, percent));
    }),
  );
});

test('tax is that of the billing details, else the plan, else outside the scope', () => {
  const said = { category: 'S', rate_percent: 20 } as const;
  expect(taxTerms(null, said)).toBe(said);
  expect(taxTerms(plan, said)).toBe(said);
  expect(taxTerms(plan)).toBe(plan.tax);
  expect(taxRow(taxTerms(null), 5_000, 0)).toEqual({
    category: 'O',
    rate_percent: 0,
    taxable: 5_000,
    tax: 0,
    reason: 'Not subject to tax',
  });
});

test('a taxed category gives no reason, whatever the plan says', () => {
  const terms = taxTerms({ ...plan, tax: { ...plan.tax, reason: 'A mistake' } });
  expect(taxRow(terms, 100, 19)).toEqual({
    category: 'S',
    rate_percent: 19,
    taxable: 100,
    tax: 19,
  });
});

test.each([
  ['E', undefined, 'Exempt from tax'],
  ['AE', undefined, 'Reverse charge'],
  ['G', undefined, 'Export outside the EU'],
  ['O', undefined, 'Not subject to tax'],
  ['AE', 'Article 196', 'Article 196'],
] as const)('category %s with the reason %s says: %s', (category, reason, shown) => {
  const terms = { category, rate_percent: 0, ...(reason !== undefined && { reason }) };
  expect(taxRow(terms, 100, 0).reason).toBe(shown);
});
