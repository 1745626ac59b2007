import type { Plan } from '#account/terms.js';
import { invoicedWhen } from './invoiced-when.js';

const PLAN: Plan = {
  monthly_fee: 49_000,
  included_credits: 60_000,
  price_per_1000_credits: 1_250,
  tax: { rate_percent: 19, category: 'S' },
};

test.each([
  ['with a plan', PLAN, undefined, /after each month, and for a purchase of credits at once/],
  ['with a plan and monthly purchases', PLAN, 'monthly', /with the purchases of that month/],
  ['without a plan', null, undefined, /for each purchase at once/],
  ['without a plan, of monthly purchases', null, 'monthly', /for the purchases of each month/],
] as const)('%s it is said when a month and a purchase are invoiced', (_, plan, when, text) => {
  expect(invoicedWhen(plan, when)).toMatch(text);
});
