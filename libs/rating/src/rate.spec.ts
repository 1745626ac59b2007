import fc from 'fast-check';
import { cardInForce, priceOf } from './rate.js';
import { RATE_CARD_1, validateRateCard } from './rate-card.js';
import type { RateCard, RateMatch, RateRule } from './rate-card.js';
import { parseResourcePath } from './resource-path.js';
import type { Resource } from './resource.js';
import { anyResource } from './resource.suite.js';

const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

function resourceOf(path: string): Resource {
  const parsed = parseResourcePath(path);
  if (parsed.outcome !== 'resource') throw new Error(`${path} is no resource`);
  return parsed.resource;
}

// Path, rows of the answer, data cost, base rate, rule. The first five are specification 8.1's.
const PRICES = `
  /v1/latest/cat1/trends/all/popindex/us/beauty                          900  49990  50000  all beauty trends
  /v1/latest/cat1/trends/top5/popindex/us/beauty                           5     25     35  top 5
  /v1/latest/cat1/brands/all/popindex/us/beauty                          900  59990  60000  all beauty brands
  /v1/latest/cat1/brands/top5/popindex/us/beauty                           5     25     35  top 5
  /v1/latest/cat2/trends/all/popindex/us/skincare                        300   9990  10000  all skincare trends
  /v1/latest/cat5/timeseries/popindex/us/${ID}                            48   1750   1760  time series
  /v1/latest/brand/timeseries/popindex/kr/${ID}                            1   1750   1760  time series
  /v1/latest/cat1/related-trends/top5/popindex/us/${ID}/concerns           5     25     35  top 5
  /v1/latest/cat1/related-trends/top5/popindex/us/${ID}/concerns           1     25     35  top 5
  /v1/latest/cat1/related-trends/top100/popindex/us/${ID}/concerns       100    500    510  per row
  /v1/latest/cat5/related-trends/all/popindex/us/${ID}/concerns            7     35     45  per row
  /v1/latest/cat1/trends/top100/popindex/us/beauty                       100    500    510  per row
  /v1/latest/cat2/brands/all/popindex/us/skincare                         12     60     70  per row
  /v1/latest/cat2/trends/all/popindex/us/hair-care                         0      0     10  per row
  /v1/latest/cat1/trends/all/popindex/jp/beauty                            1  49990  50000  all beauty trends
  /v1/cat1/trends/all/popindex/us/beauty                                 900  49990  50000  all beauty trends
`;

describe('the price of a first call', () => {
  const rows = PRICES.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s{2,}/) as [string, string, string, string, string]);

  it.each(rows)('of %s with %s rows has a data cost of %s, %s in all', (path, count, ...cells) => {
    const [data, base, rule] = cells;
    const price = priceOf(RATE_CARD_1, resourceOf(path), Number(count));
    expect(price).toEqual({ cost: [10, Number(data)], rule });
    expect(price.cost[0] + price.cost[1]).toBe(Number(base));
  });

  it('is the sum of the specification for its worked week: 50,000 and four times 10', () => {
    const { cost } = priceOf(RATE_CARD_1, resourceOf('/v1/cat1/trends/all/popindex/us/beauty'), 9);
    expect(cost[0] + cost[1] + 4 * cost[0]).toBe(50_040);
  });

  it('is refused where it could not be an exact number', () => {
    const perRow = { ...RATE_CARD_1, rules: [ruleOf({}, 'dear', 2 ** 40)] };
    const resource = resourceOf('/v1/cat1/trends/all/popindex/us/beauty');
    expect(priceOf(perRow, resource, 8000).cost).toEqual([10, 8000 * 2 ** 40]);
    expect(() => priceOf(perRow, resource, 8192)).toThrow(RangeError);
    expect(() => priceOf({ ...perRow, call_cost: 2 ** 53 - 1 }, resource, 1)).toThrow(RangeError);
  });

  it.each([-1, 0.5, NaN, Infinity, 2 ** 53])('is refused for %p rows', (count) => {
    const resource = resourceOf('/v1/cat1/trends/all/popindex/us/beauty');
    expect(() => priceOf(RATE_CARD_1, resource, count)).toThrow(RangeError);
  });

  it('is a fault of the card where no rule matches', () => {
    const card = { ...RATE_CARD_1, rules: RATE_CARD_1.rules.slice(0, 4) };
    const resource = resourceOf(`/v1/latest/cat5/timeseries/popindex/us/${ID}`);
    expect(() => priceOf(card, resource, 1)).toThrow('no rule');
  });
});

function ruleOf(match: RateMatch, name: string, perRow: number): RateRule {
  return { name, match, data_cost: { per_row: perRow } };
}

/** Some of the members that a resource has, so that it can be reached. */
const matches: fc.Arbitrary<RateMatch> = anyResource.chain((resource) => {
  const members = Object.entries(resource).filter(([name]) => name !== 'item');
  return fc.subarray(members).map((chosen) => Object.fromEntries(chosen) as RateMatch);
});
const costs = fc.oneof(
  fc.record({ flat: fc.nat() }),
  fc.record({ per_row: fc.nat({ max: 1_000_000 }) }),
);
const cards: fc.Arbitrary<RateCard> = fc
  .tuple(fc.nat({ max: 1000 }), fc.array(fc.tuple(matches, costs), { maxLength: 6 }), costs)
  .map(([callCost, rules, rest]) => ({
    version: 2,
    effective_window: '2026w48',
    call_cost: callCost,
    rules: [...rules, [{}, rest] as const].map(([match, cost], index) => ({
      name: `rule ${index}`,
      match,
      data_cost: cost,
    })),
  }));

/** The card without the rules that can never give a price. */
function reachable(card: RateCard): RateCard {
  const hidden = new Set(validateRateCard(card).map(({ pointer }) => pointer.split('/')[2]));
  return { ...card, rules: card.rules.filter((_, index) => !hidden.has(String(index))) };
}

/** Matching as the sentence has it: every member that the rule gives is the resource's own. */
function applies(match: RateMatch, resource: Resource): boolean {
  const json = JSON.stringify(resource);
  return Object.entries(match).every(([name, value]) => json.includes(`"${name}":"${value}"`));
}

describe('by any card that is valid', () => {
  it('every resource has one price, whole and not negative, of the first rule that matches', () => {
    fc.assert(
      fc.property(cards, anyResource, fc.nat({ max: 1_000_000 }), (any, resource, count) => {
        const card = reachable(any);
        expect(validateRateCard(card)).toEqual([]);
        const price = priceOf(card, resource, count);
        expect(priceOf(structuredClone(card), structuredClone(resource), count)).toEqual(price);
        const rule = card.rules.find(({ match }) => applies(match, resource));
        expect(price.rule).toBe(rule?.name);
        expect(price.cost[0]).toBe(card.call_cost);
        expect(Number.isSafeInteger(price.cost[1]) && price.cost[1] >= 0).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a rule that is refused because it is never reached', () => {
  it('would not have changed the price of any resource', () => {
    fc.assert(
      fc.property(cards, anyResource, fc.nat({ max: 1_000_000 }), (card, resource, count) => {
        expect(priceOf(reachable(card), resource, count)).toEqual(priceOf(card, resource, count));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the card in force', () => {
  const at = (version: number, window: string | null): RateCard => ({
    ...RATE_CARD_1,
    version,
    effective_window: window,
  });
  const published = [at(1, null), at(3, '2026w50'), at(2, '2026w48'), at(4, '2026w50')];

  it.each([
    ['1990w01', 1],
    ['2026w47', 1],
    ['2026w48', 2],
    ['2026w49', 2],
    ['2026w50', 4],
    ['2027w01', 4],
  ])('in %s is version %i', (window, version) => {
    expect(cardInForce(published, window).version).toBe(version);
  });

  it('is that of the latest window that has begun, also when it was published earlier', () => {
    const cards = [...published, at(5, '2026w49')];
    const versions = ['2026w48', '2026w49', '2026w50'].map(
      (label) => cardInForce(cards, label).version,
    );
    expect(versions).toEqual([2, 5, 4]);
  });

  it('is never one without a window, but for the first: such a card is for named accounts', () => {
    const named = at(5, null);
    expect(cardInForce([...published, named], '2026w47').version).toBe(1);
    expect(cardInForce([...published, named], '2026w51').version).toBe(4);
  });

  it('must exist', () => {
    expect(() => cardInForce([at(2, '2026w48')], '2026w47')).toThrow('No rate card');
  });
});
