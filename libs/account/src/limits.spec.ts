import {
  billableCredits,
  CREDITS_MAX,
  creditsToCharge,
  creditsToTake,
  PRICE_MAX,
} from './limits.js';
import {
  adjust,
  after,
  changeAccount,
  given,
  openAccount,
  plan,
  prepaid,
} from './scenario.suite.js';
import { TUESDAY, when } from './scenario.suite.js';

const dearest = { ...plan, price_per_1000_credits: PRICE_MAX };

test.each([
  ['nothing', 0, CREDITS_MAX],
  ['12.50 for 1,000', 1_250, 800_000_000_000_000],
  ['all that may be asked', PRICE_MAX, 1_000_000],
])('a plan that asks %s bills as many credits as its invoice can show', (_name, price, most) => {
  expect(billableCredits({ ...plan, price_per_1000_credits: price })).toBe(most);
});

describe('without an overdraft of its own', () => {
  it('an account may owe whatever is exact, and nobody bills it', () => {
    const state = after(given([TUESDAY, openAccount({ overdraft: null })]), TUESDAY, adjust(-5));
    expect(creditsToTake(state)).toBe(CREDITS_MAX - 5);
    const most = after(state, TUESDAY, adjust(5 - CREDITS_MAX));
    expect(when(most, TUESDAY, adjust(-1)).refusal).toMatchObject({ reason: 'conflict' });
  });

  it('an account under a plan may owe what its invoice can show', () => {
    const open = openAccount({ overdraft: null, plan: { ...dearest, included_credits: 7 } });
    const state = given([TUESDAY, open]);
    expect([creditsToTake(state), creditsToCharge(state)]).toEqual([1_000_007, 1_000_007]);
    expect(when(state, TUESDAY, adjust(-1_000_008)).refusal).toMatchObject({
      reason: 'conflict',
      detail: 'At most 1000007 credits can be taken.',
    });
    expect(after(state, TUESDAY, adjust(-1_000_007)).balance).toBe(-1_000_000);
  });
});

test('a plan to come counts at once, and none begins on a debt that it cannot bill', () => {
  const open = given([TUESDAY, openAccount({ overdraft: null })]);
  const planned = after(open, TUESDAY, changeAccount({ plan: dearest }));
  expect(creditsToTake(planned)).toBe(1_000_000);
  const owing = after(open, TUESDAY, adjust(-1_000_001));
  expect(when(owing, TUESDAY, changeAccount({ plan: dearest })).refusal).toEqual({
    reason: 'conflict',
    detail: 'At this price at most 1000000 credits can be billed; 1000001 are owed.',
  });
  expect(after(owing, TUESDAY, changeAccount({ plan })).nextPlan).toEqual({ plan });
});

test('adjustments add up to an exact number, both ways', () => {
  const state = after(prepaid(10), TUESDAY, adjust(CREDITS_MAX - 10));
  expect(when(state, TUESDAY, adjust(1)).refusal).toMatchObject({ reason: 'conflict' });
  const less = after(after(state, TUESDAY, adjust(-100)), TUESDAY, adjust(-100));
  expect(less.totals.adjusted).toBe(CREDITS_MAX - 210);
});
