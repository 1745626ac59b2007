import { plan } from '#account/scenario.suite.js';
import { forecastMonth } from './forecast-month.js';
import { factsOf } from './months.suite.js';

const usage = [{ rule: 'top 5', kind: 'base' as const, calls: 10, credits: 1_000 }];
const FEE = plan.monthly_fee;

function planned(balance: number) {
  return factsOf({ plan, usage, closing: { balance, overage: 0, carried: 0, grants: [] } });
}

test.each([
  ['that grants will cover', 500, 333, 1_333, 0, 4_900],
  ['that will not be covered', 500, 2_100, 3_100, 1_600, 6_900],
  ['of which a part will be covered', 500, 1_000, 2_000, 500, 5_525],
  ['that are all made', 500, 0, 1_000, 0, 4_900],
])('a month with calls %s', (_name, balance, more, credits, billed, net) => {
  expect(forecastMonth({ facts: planned(balance), net: FEE, more })).toMatchObject({
    credits_used: credits,
    billed_credits: billed,
    net,
    total: net + Math.floor((net * 19) / 100 + 0.5),
  });
});

test('without a plan nothing more will be billed, and what was bought is taxed as was said', () => {
  const closing = { balance: -1_000, overage: 0, carried: 1_000, grants: [] };
  const facts = factsOf({ usage, closing });
  const billingTax = { category: 'S', rate_percent: 20 } as const;
  const soFar = { facts, net: 5_000, more: 30_000, billingTax };
  expect(forecastMonth(soFar)).toEqual({
    credits_used: 31_000,
    billed_credits: 0,
    net: 5_000,
    tax: 1_000,
    total: 6_000,
  });
});

test('spending beyond all numbers ends where the account would be refused', () => {
  const facts = factsOf({
    plan,
    usage: usage.map((sum) => ({ ...sum, credits: 9e15 })),
    closing: planned(0).closing,
  });
  const forecast = forecastMonth({ facts, net: FEE, more: 9e15 });
  expect(forecast).toMatchObject({
    credits_used: Number.MAX_SAFE_INTEGER,
    billed_credits: Number.MAX_SAFE_INTEGER - 9e15,
  });
});
