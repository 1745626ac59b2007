import fc from 'fast-check';
import { cardInForce, findInForce, priceOf, priceOfUnits } from './rate.js';
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

const LLM: RateCard = {
  version: 7,
  product: 'llm',
  repeat: 'never',
  effective_window: '2026w48',
  call_cost: 1,
  rules: [
    { name: 'free model', match: { model: 'small' }, data_cost: { flat: 0 } },
    { name: 'images', match: { resource: 'image' }, data_cost: { per: { images: 40 }, of: 1 } },
    { name: 'tokens', match: {}, data_cost: { per: { input: 3, output: 12 }, of: 1000 } },
  ],
};
const CHAT = { product: 'llm', resource: 'chat', model: 'large' };

describe('the price of units', () => {
  it.each([
    [{ input: 812, output: 90 }, 4],
    [{ input: 1000 }, 3],
    [{ input: 1001 }, 4],
    [{ output: 1 }, 1],
    [{ input: 0, output: 0 }, 0],
    [{}, 0],
  ])('%j cost %d credits: each unit at its price, rounded up once', (units, data) => {
    expect(priceOfUnits(LLM, CHAT, units)).toEqual({ cost: [1, data], rule: 'tokens' });
  });

  it('is exactly the sum by their price, rounded up, or refused beyond 2^53 - 1', () => {
    const count = fc.oneof(
      { weight: 1, arbitrary: fc.maxSafeNat() },
      { weight: 9, arbitrary: fc.nat(30_000_000) },
    );
    const prices = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'rows'), count, { minKeys: 1 });
    let [exact, beyond] = [0, 0];
    fc.assert(
      fc.property(
        prices,
        fc.array(count, { minLength: 4 }),
        fc.integer({ min: 1 }),
        (per, counts, of) => {
          const units = Object.fromEntries(
            Object.keys(per).map((name, at) => [name, counts[at] ?? 0]),
          );
          const card = { ...LLM, rules: [{ name: 'all', match: {}, data_cost: { per, of } }] };
          const sum = Object.keys(per).reduce(
            (total, name) => total + BigInt(per[name] ?? 0) * BigInt(units[name] ?? 0),
            0n,
          );
          const data = (sum + BigInt(of) - 1n) / BigInt(of);
          const price = priceOfUnits(card, CHAT, units);
          const fits = sum < 2n ** 53n && data + 1n < 2n ** 53n;
          if (fits) exact += 1;
          else beyond += 1;
          expect('unpriced' in price ? null : price.cost).toEqual(fits ? [1, Number(data)] : null);
        },
      ),
      { numRuns: 1_000 },
    );
    expect(Math.min(exact, beyond)).toBeGreaterThan(100);
  });

  it('is none where nobody prices a name, so that no unit is free by mistake', () => {
    expect(priceOfUnits(LLM, CHAT, { tokens: 5 })).toEqual({
      unpriced: 'No rule of rate card 7 prices the unit "tokens".',
    });
    expect(priceOfUnits(LLM, CHAT, { images: 5 })).toEqual({
      unpriced: 'Rule "tokens" of rate card 7 does not price the unit "images".',
    });
    expect(priceOfUnits(LLM, CHAT, { constructor: 5 })).toHaveProperty('unpriced');
    expect(priceOfUnits(LLM, { ...CHAT, model: 'small' }, { input: 5 })).toEqual({
      cost: [1, 0],
      rule: 'free model',
    });
  });

  it('counts the rows of an answer where a card prices rows by parts of a credit', () => {
    const card = {
      ...LLM,
      rules: [{ name: 'rows', match: {}, data_cost: { per: { rows: 1 }, of: 10 } }],
    };
    expect(priceOf(card, CHAT, 11).cost).toEqual([1, 2]);
    expect(priceOfUnits(card, CHAT, { rows: 11 })).toEqual({ cost: [1, 2], rule: 'rows' });
  });
});

test('each product has the card in force of its own, whatever the others have', () => {
  const next = { ...LLM, version: 9, effective_window: '2026w50' };
  const cards = [
    RATE_CARD_1,
    LLM,
    { ...RATE_CARD_1, version: 8, effective_window: '2026w49' },
    next,
  ];
  expect(cardInForce(cards, '2026w48').version).toBe(1);
  expect(cardInForce(cards, '2026w52').version).toBe(8);
  expect(findInForce(cards, '2026w47', 'llm')).toBeUndefined();
  expect(findInForce(cards, '2026w49', 'llm')?.version).toBe(7);
  expect(findInForce(cards, '2026w50', 'llm')?.version).toBe(9);
  expect(findInForce(cards, '2026w50', 'weather')).toBeUndefined();
});
