import { DAY, plan } from '#account/scenario.suite.js';
import { forecastMonth } from './forecast-month.js';
import { factsOf, utc } from './months.suite.js';

const october = utc.monthAt(Date.UTC(2026, 9, 5));
const { startsAt, endsAt } = october;
const usage = [{ rule: 'top 5', kind: 'base' as const, calls: 10, credits: 1_000 }];

function planned(balance: number) {
  const overage = Math.max(0, -balance);
  const opening = balance + 1_000;
  const grant = { ordinal: 1, id: 'grant-1', kind: 'included' as const, credits: opening };
  return factsOf({
    plan,
    usage,
    opening: { balance: opening, grants: [{ ...grant, price: null, left: opening }] },
    closing: { balance, overage, carried: 0, grants: balance > 0 ? [[1, balance]] : [] },
  });
}

test.each([
  ['a third of its pace to come at three quarters', 500, 0, 23.25, 1_333, 0, 4_900],
  ['credits that will not reach', 500, 0, 10, 3_100, 1_600, 6_900],
  ['an account opened in its middle', 500, 10, 20.5, 2_000, 500, 5_525],
  ['its last moment, which foresees nothing more', 500, 0, 31, 1_000, 0, 4_900],
])('a month with %s', (_name, balance, openedOn, on, credits, billed, net) => {
  const [since, at] = [startsAt + openedOn * DAY, startsAt + on * DAY];
  expect(forecastMonth(planned(balance), october, since, at)).toMatchObject({
    credits,
    billed_credits: billed,
    net,
    total: net + Math.floor((net * 19) / 100 + 0.5),
  });
});

test('a pace is taken over at least a day', () => {
  const [since, at] = [endsAt - 2 * DAY - 1, endsAt - 2 * DAY];
  expect(forecastMonth(planned(500), october, since, at).credits).toBe(3_000);
});

test('without a plan nothing will be billed', () => {
  const facts = factsOf({
    usage,
    closing: { balance: -1_000, overage: 0, carried: 1_000, grants: [] },
  });
  expect(forecastMonth(facts, october, startsAt, startsAt + DAY)).toMatchObject({
    credits: 31_000,
    billed_credits: 0,
    total: 0,
  });
});
