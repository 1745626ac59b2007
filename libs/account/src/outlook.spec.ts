import fc from 'fast-check';
import { RATE_CARD_1, type RateCard, type RateRule } from '#rating/rate-card.js';
import { priceOf } from '#rating/rate.js';
import type { Resource } from '#rating/resource.js';
import { anyResource } from '#rating/resource.suite.js';
import { resourceKey } from '#rating/resource-key.js';
import { evolve } from './evolve.js';
import { outlookOf, weekAt } from './outlook.js';
import { type AccountState, initialState } from './state.js';
import { terms, TUESDAY } from './scenario.suite.js';

const WINDOW = '2026w48';
const { calendar } = terms;
const common = { release: 'r1', api_key: 1, draws: [], balance: 0 };

/** A card for the next window; its rules begin with these. */
function cardWith(rules: readonly RateRule[], callCost = 12): RateCard {
  const rest: RateRule = { name: 'all', match: {}, data_cost: { per_row: 5 } };
  return { version: 2, effective_window: '2026w49', call_cost: callCost, rules: [...rules, rest] };
}

/** An account that has called resources in a window, each so many rows long, and so often. */
function called(
  calls: readonly (readonly [resource: Resource, rows: number, repeats: number])[],
): AccountState {
  const at = TUESDAY;
  const opened = { ...initialState, openedAt: at };
  const events = calls.flatMap(([resource, rows, repeats]) => {
    const { cost, rule } = priceOf(RATE_CARD_1, resource, rows);
    const call = { ...common, key: resourceKey(resource, WINDOW), rows, card: 1, rule };
    const first = { ...call, kind: 'base', cost } as const;
    const again = { ...call, kind: 'repeat', cost: [cost[0], 0] } as const;
    return [first, ...Array.from({ length: repeats }, () => again)];
  });
  return events.reduce(
    (state: AccountState, data) => evolve(state, { type: 'CallMade', at, data }),
    opened,
  );
}

/** Rules of any card: names of the first one too, for whatever they match. */
const anyRule: fc.Arbitrary<RateRule> = fc
  .record({
    name: fc.constantFrom(...RATE_CARD_1.rules.map(({ name }) => name), 'all URLs'),
    resource: anyResource,
    members: fc.uniqueArray(fc.constantFrom('resource', 'level', 'limit', 'region', 'category'), {
      minLength: 1,
    }),
    cost: fc.oneof(
      fc.record({ flat: fc.nat({ max: 90_000 }) }),
      fc.record({ per_row: fc.nat({ max: 90 }) }),
    ),
  })
  .map(({ name, resource, members, cost }) => {
    const known = Object.entries(resource).filter(([member]) =>
      members.some((one) => one === member),
    );
    return { name, match: Object.fromEntries(known), data_cost: cost };
  });

describe('the URLs of a week', () => {
  it('cost by another card what a quote of each of them says', () => {
    const anyCalls = fc.uniqueArray(
      fc.tuple(anyResource, fc.nat({ max: 500 }), fc.nat({ max: 2 })),
      { selector: ([resource]) => resourceKey(resource, WINDOW), maxLength: 12 },
    );
    fc.assert(
      fc.property(anyCalls, fc.array(anyRule, { maxLength: 4 }), (calls, rules) => {
        // Rules that match what was called, so that they count.
        const own = calls.slice(0, 3).map(([resource], nth): RateRule => {
          const { resource: name, region } = resource;
          const match = { resource: name, region };
          return { name: 'per row', match, data_cost: { flat: nth * 1_000 } };
        });
        const card = cardWith([...rules, ...own]);
        const state = called(calls);
        const quoted = calls.reduce((sum, [resource, rows]) => {
          const { cost } = priceOf(card, resource, rows);
          return sum + cost[0] + cost[1];
        }, 0);
        expect(weekAt(state, TUESDAY, calendar, card)).toBe(quoted);
        const cards = [RATE_CARD_1, card];
        expect(outlookOf(state, TUESDAY, calendar, cards).nextBase).toBe(quoted);
        // The card in force says what was charged.
        expect(weekAt(state, TUESDAY, calendar, RATE_CARD_1)).toBe(state.rhythm[0]?.base[0] ?? 0);
      }),
    );
  });

  it('are repeated at the call cost of the card, also where repeats were free before', () => {
    const top: Resource = { ...CHEAP, limit: 'top5' };
    const days = (callCost: number) => {
      const cards = [RATE_CARD_1, cardWith([], callCost)];
      const { days: all } = outlookOf(called([[top, 5, 7]]), TUESDAY, calendar, cards);
      return all.slice(7, 14).reduce((sum, { credits }) => sum + credits, 0);
    };
    // 25 for the data and each first call; the mean of 7 repeats on the first day goes on.
    expect(days(0)).toBe(25);
    expect(days(10)).toBe(25 + 10 + 7 * 7 * 10);
    expect(days(20)).toBe(25 + 20 + 7 * 7 * 20);
  });

  it('are priced rightly too where the card changed in the middle of a week', () => {
    const own: RateCard = { ...cardWith([]), version: 3, effective_window: null };
    const first = called([[{ ...CHEAP, level: 'cat1', limit: 'all', category: 'beauty' }, 7, 0]]);
    const { cost, rule } = priceOf(own, CHEAP, 7);
    const key = resourceKey(CHEAP, WINDOW);
    const data = { ...common, key, rows: 7, card: 3, rule, kind: 'base', cost } as const;
    const second = evolve(first, { type: 'CallMade', at: TUESDAY, data });
    // The other call has seven rows, too, and was charged 50,000 by the first card.
    expect(weekAt(second, TUESDAY, calendar, own)).toBe(2 * (12 + 35));
  });

  it('are summed by category up to a limit, and without it afterwards', () => {
    const many = Array.from({ length: 600 }, (_, nth) => {
      const resource: Resource = { ...CHEAP, category: `category-${nth}` };
      return [resource, 1, 0] as const;
    });
    const flat = (match: RateRule['match'], credits: number): RateRule => ({
      name: 'per row',
      match,
      data_cost: { flat: credits },
    });
    const state = called(many);
    expect(state.rhythm[0]?.first).toHaveLength(513);
    const dear = cardWith([flat({ region: 'us' }, 100)], 0);
    expect(weekAt(state, TUESDAY, calendar, dear)).toBe(600 * 100);
    const one = cardWith([flat({ category: 'category-7' }, 100)], 0);
    expect(weekAt(state, TUESDAY, calendar, one)).toBe(100 + 599 * 5);
  });
});

const CHEAP = {
  resource: 'trends',
  level: 'cat2',
  limit: 'top100',
  region: 'us',
  category: 'skincare',
} as const;
