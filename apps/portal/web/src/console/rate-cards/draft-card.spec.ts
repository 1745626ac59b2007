import { cardBody, differences, draftOf, moved, withNewRule } from './draft-card.js';
import type { RateCard } from '../../rest/answers.js';

const CARD: RateCard = {
  product: 'v1',
  repeat: 'week',
  version: 1,
  effective_window: null,
  effective_from: null,
  call_cost: 10,
  rules: [
    { name: 'top 5', match: { limit: 'top5' }, data_cost: { flat: 25 } },
    { name: 'series', match: { resource: 'timeseries' }, data_cost: { flat: 1750 } },
    { name: 'per row', match: {}, data_cost: { per_row: 5 } },
  ],
  in_force: true,
  in_force_next: true,
  published_at: null,
  published_by: null,
  reason: null,
};

describe('a rate card that is edited', () => {
  const draft = draftOf(CARD);

  it('is the card itself until something is typed', () => {
    const { product, call_cost, rules } = CARD;
    expect(cardBody(draft)).toEqual({ product, call_cost, rules });
    expect(differences(CARD, draft)).toEqual([]);
  });

  it('stays a card of its product, with its prices of units', () => {
    const rules: RateCard['rules'] = [
      { name: 'tokens', match: {}, data_cost: { per: { input_tokens: 3 }, of: 1_000 } },
    ];
    const drafted = draftOf({ ...CARD, product: 'llm', repeat: 'never', rules });
    expect(cardBody(drafted)).toEqual({ product: 'llm', call_cost: 10, rules });
    expect(drafted.repeat).toBe('never');
  });

  it('lists what differs: the price of a call, rules and their order', () => {
    const [first, ...others] = draft.rules;
    if (first === undefined) throw new Error('The card has rules.');
    const dearer = { ...draft, call_cost: 12, rules: [{ ...first, credits: 30 }, ...others] };
    expect(differences(CARD, dearer)).toEqual([
      { name: 'every call', before: '10', after: '12' },
      { name: 'top 5', before: 'top5: 25', after: 'top5: 30' },
    ]);
    const swapped = { ...draft, rules: moved(draft.rules, 0, 1) };
    expect(differences(CARD, swapped)).toEqual([
      {
        name: 'order of the rules',
        before: 'top 5 → series → per row',
        after: 'series → top 5 → per row',
      },
    ]);
  });

  it('says of a renamed rule only its name, and of a removed one which rule then counts', () => {
    const [top, series, rest] = CARD.rules;
    if (!top || !series || !rest) throw new Error('The card has three rules.');
    const renamed = draftOf({ ...CARD, rules: [top, series, { ...rest, name: 'all' }] });
    const text = 'everything: 5 a row';
    expect(differences(CARD, renamed)).toEqual([
      { name: 'per row → all', before: text, after: text },
    ]);
    const removed = draftOf({ ...CARD, rules: [series, rest] });
    expect(differences(CARD, removed)).toEqual([
      { name: 'top 5', before: 'top5: 25', after: `by “per row”, ${text}` },
    ]);
  });

  it('takes a new rule in front of the one that matches everything', () => {
    const { rules } = withNewRule(draft);
    expect(rules.map(({ name }) => name)).toEqual(['top 5', 'series', '', 'per row']);
    expect(new Set(rules.map(({ id }) => id)).size).toBe(4);
  });

  it('moves no rule beyond the ends', () => {
    expect(moved(draft.rules, 0, -1)).toBe(draft.rules);
    expect(moved(draft.rules, 2, 1)).toBe(draft.rules);
  });

  it('sends nothing for a match that was emptied, and null for a price that is missing', () => {
    const [first] = draft.rules;
    if (first === undefined) throw new Error('The card has rules.');
    const match = { limit: '' } as unknown as typeof first.match;
    const emptied = { ...draft, rules: [{ ...first, match, credits: '' }] };
    expect(cardBody(emptied).rules).toEqual([
      { name: 'top 5', match: {}, data_cost: { flat: null } },
    ]);
  });
});
