import { nextTuesdayCost } from './next-tuesday-cost.js';
import type { Account, Grant } from '../../rest/answers.js';

const ZONE = 'Europe/Berlin';
const PLAN: Account['plan'] = {
  monthly_fee: 49_000,
  included_credits: 60_000,
  price_per_1000_credits: 1_250,
  tax: { rate_percent: 19, category: 'S' },
};
const PRICE = { per_1000_credits: 1_250, currency: 'EUR' };

const grant = (kind: Grant['kind'], left: number, expires_at: string | null): Grant => ({
  id: kind,
  kind,
  credits: left,
  left,
  priority: 0,
  expires_at,
  granted_at: '2026-11-01T00:00:00+01:00',
});
const included = (left: number) => grant('included', left, '2026-12-01T00:00:00+01:00');
const purchased = (left: number) => grant('purchased', left, null);

/** In the window that ends on 24 November; the next one is expected to begin with 50,000. */
function account(grants: readonly Grant[], members: Partial<Account> = {}): Account {
  return {
    currency: 'EUR',
    plan: PLAN,
    plan_next_month: PLAN,
    now: '2026-11-21T12:00:00Z',
    window: '2026w47',
    window_ends_at: '2026-11-24T00:00:00+01:00',
    grants,
    forecast: { next_window_credits: 50_000 },
    ...members,
  } as Account;
}

const DAYS = [
  { day: '2026-11-21', window: '2026w47', credits: 1_000 },
  { day: '2026-11-23', window: '2026w47', credits: 4_000 },
  { day: '2026-11-24', window: '2026w48', credits: 50_000 },
];

test.each([
  ['covered by what is included', [included(60_000)], 0],
  ['covered by what is bought', [purchased(55_000)], 0],
  ['covered in part, after what is spent until then', [included(15_000), purchased(5_000)], 35_000],
  ['not covered', [included(5_000)], 50_000],
  ['not covered at all, with a debt already', [], 50_000],
])('a next Tuesday that is %s is billed so much', (_, grants, billed) => {
  expect(nextTuesdayCost(account(grants), DAYS, ZONE)).toEqual({ billed, price: PRICE });
});

describe('in the next month', () => {
  const later = {
    now: '2026-11-28T12:00:00Z',
    window: '2026w48',
    window_ends_at: '2026-12-01T00:00:00+01:00',
  };
  const days = [{ day: '2026-11-30', window: '2026w48', credits: 10_000 }];
  const next = { ...PLAN, included_credits: 30_000, price_per_1000_credits: 2_000 };

  test('included credits of this month are gone, and those of the next month are there', () => {
    const one = account([included(40_000)], { ...later, plan_next_month: next });
    const price = { ...PRICE, per_1000_credits: 2_000 };
    expect(nextTuesdayCost(one, days, ZONE)).toEqual({ billed: 20_000, price });
  });

  test('bought credits that this month leaves count as well', () => {
    const grants = [included(4_000), purchased(10_000)];
    const one = account(grants, { ...later, plan_next_month: next });
    expect(nextTuesdayCost(one, days, ZONE)?.billed).toBe(16_000);
  });

  test('days of the next month before that Tuesday take of what it includes', () => {
    const split = { ...later, window: '2026w53', now: '2026-12-31T12:00:00Z' };
    const one = account([], { ...split, window_ends_at: '2027-01-05T00:00:00+01:00' });
    const until = [
      { day: '2026-12-31', window: '2026w53', credits: 9_000 },
      { day: '2027-01-02', window: '2026w53', credits: 25_000 },
    ];
    expect(nextTuesdayCost(one, until, ZONE)?.billed).toBe(15_000);
  });
});

test('without a plan nothing is billed later', () => {
  expect(nextTuesdayCost(account([], { plan: null }), DAYS, ZONE)).toBeNull();
});
