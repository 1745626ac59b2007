import { diffRateCards } from './diff-rate-cards.js';
import { RATE_CARD_1 } from './rate-card.js';
import type { RateCard, RateRule } from './rate-card.js';

const [beauty, brands, skincare, top5, series, rest] = RATE_CARD_1.rules as [
  RateRule,
  RateRule,
  RateRule,
  RateRule,
  RateRule,
  RateRule,
];

function card(rules: readonly RateRule[], callCost = 10): RateCard {
  return { version: 2, effective_window: '2026w49', call_cost: callCost, rules };
}

const NOTHING = { added: [], removed: [], changed: [], reordered: false };

describe('what a rate card changes', () => {
  it('is nothing where rules and call cost are the same, in whatever order members stand', () => {
    const match = { category: 'beauty', limit: 'all', resource: 'trends' } as const;
    const rules = [{ ...beauty, match }, ...RATE_CARD_1.rules.slice(1)];
    expect(diffRateCards(RATE_CARD_1, card(rules))).toEqual({
      call_cost: { before: 10, after: 10 },
      rules: NOTHING,
    });
  });

  it('is the call cost', () => {
    const { call_cost: cost, rules } = diffRateCards(RATE_CARD_1, card(RATE_CARD_1.rules, 12));
    expect([cost, rules]).toEqual([{ before: 10, after: 12 }, NOTHING]);
  });

  it('is each rule that came, that went, and that matches or costs something else', () => {
    const dearer = { ...top5, data_cost: { flat: 30 } };
    const narrower: RateRule = { ...series, match: { resource: 'timeseries', region: 'us' } };
    const added: RateRule = {
      name: 'brand series',
      match: { type: 'brand' },
      data_cost: { flat: 1 },
    };
    const after = card([beauty, brands, dearer, narrower, added, rest]);
    expect(diffRateCards(RATE_CARD_1, after).rules).toEqual({
      added: [{ position: 4, ...added }],
      removed: [{ position: 2, ...skincare }],
      changed: [
        { name: 'top 5', before: { position: 3, ...top5 }, after: { position: 2, ...dearer } },
        {
          name: 'time series',
          before: { position: 4, ...series },
          after: { position: 3, ...narrower },
        },
      ],
      reordered: false,
    });
  });

  it('is the name alone where a rule that matches the same has another one', () => {
    const all = { ...rest, name: 'all' };
    const after = card([beauty, brands, skincare, top5, series, all]);
    expect(diffRateCards(RATE_CARD_1, after).rules).toEqual({
      ...NOTHING,
      changed: [{ name: 'all', before: { position: 5, ...rest }, after: { position: 5, ...all } }],
    });
  });

  it('follows what a rule matches, where names were exchanged', () => {
    const swapped = [
      { ...top5, name: series.name },
      { ...series, name: top5.name },
    ];
    const after = card([beauty, brands, skincare, ...swapped, rest]);
    const { added, removed, changed, reordered } = diffRateCards(RATE_CARD_1, after).rules;
    expect([added, removed, reordered]).toEqual([[], [], false]);
    expect(changed.map(({ before, after: to }) => [before.data_cost, to.data_cost])).toEqual([
      [top5.data_cost, top5.data_cost],
      [series.data_cost, series.data_cost],
    ]);
  });

  it('distinguishes a price for each row from the same price for all of them', () => {
    const flat: RateRule = { ...rest, data_cost: { flat: 5 } };
    const { changed } = diffRateCards(card([rest]), card([flat])).rules;
    expect(changed.map(({ name }) => name)).toEqual(['per row']);
  });

  it('is the order of the rules that both have, because the first that matches counts', () => {
    const after = card([top5, beauty, brands, skincare, series, rest]);
    expect(diffRateCards(RATE_CARD_1, after).rules).toEqual({ ...NOTHING, reordered: true });
  });
});
