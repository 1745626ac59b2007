import { DAY, plan } from '#account/scenario.suite.js';
import { forecastMonth } from './forecast-month.js';
import { factsOf, utc } from './months.suite.js';

const month = utc.monthAt(Date.UTC(2026, 9, 5));
const { startsAt, endsAt } = month;
const usage = [{ rule: 'top 5', kind: 'base' as const, calls: 10, credits: 1_000 }];
const FEE = plan.monthly_fee;

function planned(balance: number) {
  return factsOf({ plan, usage, closing: { balance, overage: 0, carried: 0, grants: [] } });
}

test.each([
  ['a third of its pace to come at three quarters', 500, 0, 23.25, 1_333, 0, 4_900],
  ['credits that will not reach', 500, 0, 10, 3_100, 1_600, 6_900],
  ['an account opened in its middle', 500, 10, 20.5, 2_000, 500, 5_525],
  ['its last moment, which foresees nothing more', 500, 0, 31, 1_000, 0, 4_900],
])('a month with %s', (_name, balance, openedOn, on, credits, billed, net) => {
  const [openedAt, at] = [startsAt + openedOn * DAY, startsAt + on * DAY];
  const facts = planned(balance);
  expect(forecastMonth({ facts, net: FEE, month, openedAt, at })).toMatchObject({
    credits_used: credits,
    billed_credits: billed,
    net,
    total: net + Math.floor((net * 19) / 100 + 0.5),
  });
});

test('a pace is taken over at least a day', () => {
  const [openedAt, at] = [endsAt - 2 * DAY - 1, endsAt - 2 * DAY];
  const soFar = { facts: planned(500), net: FEE, month, openedAt, at };
  expect(forecastMonth(soFar).credits_used).toBe(3_000);
});

test('without a plan nothing more will be billed, and what was bought is taxed as was said', () => {
  const closing = { balance: -1_000, overage: 0, carried: 1_000, grants: [] };
  const facts = factsOf({ usage, closing });
  const billingTax = { category: 'S', rate_percent: 20 } as const;
  const soFar = { facts, net: 5_000, month, openedAt: startsAt, at: startsAt + DAY, billingTax };
  expect(forecastMonth(soFar)).toEqual({
    credits_used: 31_000,
    billed_credits: 0,
    net: 5_000,
    tax: 1_000,
    total: 6_000,
  });
});

test('a pace beyond all numbers ends where the account would be refused', () => {
  const facts = factsOf({
    plan,
    usage: usage.map((sum) => ({ ...sum, credits: 9e15 })),
    closing: planned(0).closing,
  });
  const forecast = forecastMonth({ facts, net: FEE, month, openedAt: 0, at: startsAt + DAY });
  expect(forecast).toMatchObject({
    credits_used: Number.MAX_SAFE_INTEGER,
    billed_credits: Number.MAX_SAFE_INTEGER - 9e15,
  });
});
