import { RATE_CARD_1, validateRateCard } from './rate-card.js';

/** The first card as JSON, with changes made to it. */
function card(changes: Record<string, unknown>): unknown {
  return { ...RATE_CARD_1, ...changes };
}

/** A card whose one rule before the last is changed. */
function rule(changes: Record<string, unknown>): unknown {
  const first = { name: 'one', match: { limit: 'all' }, data_cost: { flat: 1 } };
  const last = { name: 'rest', match: {}, data_cost: { per_row: 5 } };
  return card({ rules: [{ ...first, ...changes }, last] });
}

function pointers(value: unknown): string[] {
  return validateRateCard(value).map(({ pointer }) => pointer);
}

describe('a rate card', () => {
  it('is valid as it is written in the first one, and as JSON', () => {
    expect(validateRateCard(RATE_CARD_1)).toEqual([]);
    expect(validateRateCard(JSON.parse(JSON.stringify(RATE_CARD_1)))).toEqual([]);
  });

  it.each([null, undefined, [], 'card', 7, true])('is not %p', (value) => {
    expect(validateRateCard(value)).toEqual([{ pointer: '', detail: 'must be an object' }]);
  });

  it('needs all of its members', () => {
    expect(pointers({})).toEqual(['/version', '/effective_window', '/call_cost', '/rules']);
    expect(pointers(card({ rules: [{}] }))).toEqual([
      '/rules/0/name',
      '/rules/0/match',
      '/rules/0/data_cost',
    ]);
  });

  it('may be proposed without a version, and then must not have one', () => {
    const { version, ...proposal } = RATE_CARD_1;
    expect(validateRateCard(proposal, ['effective_window', 'call_cost', 'rules'])).toEqual([]);
    expect(
      validateRateCard({ ...proposal, version }, ['effective_window', 'call_cost', 'rules']),
    ).toEqual([
      {
        pointer: '/version',
        detail:
          'is not a member here; known are effective_window, call_cost, rules, product, repeat',
      },
    ]);
  });

  it.each([
    ['an unknown member', card({ note: 'x' }), '/note'],
    ['an unknown member with a slash', card({ 'a/b~c': 1 }), '/a~1b~0c'],
    ['a version of 0', card({ version: 0 }), '/version'],
    ['a version as text', card({ version: '2' }), '/version'],
    ['a week that does not exist', card({ effective_window: '2025w53' }), '/effective_window'],
    ['a date for a week', card({ effective_window: '2026-11-24' }), '/effective_window'],
    ['a negative call cost', card({ call_cost: -1 }), '/call_cost'],
    ['half a credit', card({ call_cost: 0.5 }), '/call_cost'],
    ['more than exact numbers hold', card({ call_cost: 2 ** 53 }), '/call_cost'],
    ['no rules', card({ rules: [] }), '/rules'],
    ['rules that are no list', card({ rules: {} }), '/rules'],
    ['too many rules', card({ rules: Array(201).fill(RATE_CARD_1.rules[5]) }), '/rules'],
    ['a rule that is no object', rule({ match: [] }), '/rules/0/match'],
    ['an unknown member of a rule', rule({ price: 5 }), '/rules/0/price'],
    ['an empty name', rule({ name: '  ' }), '/rules/0/name'],
    ['a name that is no text', rule({ name: 5 }), '/rules/0/name'],
    ['a name that is too long', rule({ name: 'a'.repeat(101) }), '/rules/0/name'],
    ['a name with a NUL', rule({ name: 'a\u0000' }), '/rules/0/name'],
    ['a name with half a character', rule({ name: 'a\ud800' }), '/rules/0/name'],
    ['a name given twice', rule({ name: 'rest' }), '/rules/1/name'],
    ['an unknown member of a match', rule({ match: { item: 'x' } }), '/rules/0/match/item'],
    [
      'a match by an inherited name',
      rule({ match: { constructor: 'x' } }),
      '/rules/0/match/constructor',
    ],
    ['an unknown resource', rule({ match: { resource: 'series' } }), '/rules/0/match/resource'],
    ['an unknown level', rule({ match: { level: 'cat6' } }), '/rules/0/match/level'],
    ['an unknown type', rule({ match: { type: 'cat1' } }), '/rules/0/match/type'],
    ['an unknown limit', rule({ match: { limit: 'top10' } }), '/rules/0/match/limit'],
    ['what is no region', rule({ match: { region: 'DE' } }), '/rules/0/match/region'],
    ['a list of regions', rule({ match: { region: ['us'] } }), '/rules/0/match/region'],
    [
      'a group that is too long',
      rule({ match: { group: 'a'.repeat(65) } }),
      '/rules/0/match/group',
    ],
    ['a group in capitals', rule({ match: { group: 'Concerns' } }), '/rules/0/match/group'],
    ['a category that is null', rule({ match: { category: null } }), '/rules/0/match/category'],
    ['a data cost that is a number', rule({ data_cost: 5 }), '/rules/0/data_cost'],
    ['no data cost', rule({ data_cost: {} }), '/rules/0/data_cost'],
    ['two data costs', rule({ data_cost: { flat: 1, per_row: 1 } }), '/rules/0/data_cost'],
    ['a negative data cost', rule({ data_cost: { flat: -1 } }), '/rules/0/data_cost/flat'],
    ['a data cost as text', rule({ data_cost: { flat: '1' } }), '/rules/0/data_cost/flat'],
    ['half a credit a row', rule({ data_cost: { per_row: 0.5 } }), '/rules/0/data_cost/per_row'],
    [
      'an unknown member of a data cost',
      rule({ data_cost: { flat: 1, per_point: 1 } }),
      '/rules/0/data_cost/per_point',
    ],
    [
      'a price past exact numbers',
      rule({ data_cost: { flat: 2 ** 53 - 10 } }),
      '/rules/0/data_cost/flat',
    ],
    [
      'a price a row past exact numbers',
      rule({ data_cost: { per_row: 2 ** 34 } }),
      '/rules/0/data_cost/per_row',
    ],
  ])('has no %s', (_, value, pointer) => {
    expect(pointers(value)).toEqual([pointer]);
  });

  it('has a last rule that matches everything', () => {
    const rules = RATE_CARD_1.rules.slice(0, 5);
    expect(validateRateCard(card({ rules }))).toEqual([
      { pointer: '/rules/4/match', detail: expect.stringContaining('no rule for') },
    ]);
  });

  it('gets all of its faults at once, in the order of its members', () => {
    const faulty = card({ version: null, call_cost: -1, rules: [{ name: '', match: 1, cost: 2 }] });
    expect(pointers(faulty)).toEqual([
      '/version',
      '/call_cost',
      '/rules/0/cost',
      '/rules/0/name',
      '/rules/0/match',
      '/rules/0/data_cost',
    ]);
  });

  it('takes the names of all matches, the largest exact price and a UUID for a category', () => {
    const match = {
      resource: 'related-trends',
      level: 'cat1',
      limit: 'all',
      region: 'us',
      group: 'skin-types',
      category: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    };
    const largest = { flat: Number.MAX_SAFE_INTEGER - 10 };
    expect(validateRateCard(rule({ match, data_cost: largest }))).toEqual([]);
    expect(validateRateCard(rule({ match: { type: 'brand' } }))).toEqual([]);
  });

  // The matches of rules in order, and what is wrong with them; the last is always a match of all.
  it.each<[string, readonly object[], string, string]>([
    ['behind one that matches all', [{}], '/rules/1/match', 'rule 0 matches all of it'],
    [
      'behind one with fewer conditions',
      [{ limit: 'all' }, { limit: 'all', region: 'us' }],
      '/rules/1/match',
      'rule 0 matches all of it',
    ],
    [
      'behind one of the only resource that it can match',
      [{ resource: 'timeseries' }, { type: 'brand', region: 'us' }],
      '/rules/1/match',
      'rule 0 matches all of it',
    ],
    ['like an earlier one', [{ region: 'us' }, { region: 'us' }], '/rules/1/match', 'rule 0'],
    [
      'that asks for what its resource lacks',
      [{ resource: 'timeseries', limit: 'all', level: 'cat1' }],
      '/rules/0/match',
      'timeseries has no limit and no level',
    ],
    [
      'that asks for what no resource has together',
      [{ type: 'cat5', limit: 'all' }],
      '/rules/0/match',
      'no resource has all',
    ],
    [
      'that names the category of related trends by its slug',
      [{ resource: 'related-trends', category: 'beauty' }],
      '/rules/0/match',
      'a UUID',
    ],
  ])('has no rule %s', (_, matches, pointer, detail) => {
    const rules = [...matches, {}].map((match, index) => ({
      name: `rule ${index}`,
      match,
      data_cost: { flat: index },
    }));
    expect(validateRateCard(card({ rules }))).toEqual([
      { pointer, detail: expect.stringContaining(detail) },
    ]);
  });

  it.each<[string, readonly object[]]>([
    ['narrower', [{ limit: 'all', region: 'us' }, { limit: 'all' }]],
    ['of another value', [{ region: 'us' }, { region: 'gb' }]],
    ['of another resource', [{ resource: 'trends', limit: 'all' }, { limit: 'all' }]],
    ['of a member that only some resources have', [{ limit: 'top5' }, { region: 'us' }]],
    ['of one kind', [{ type: 'cat5' }, { resource: 'timeseries' }]],
  ])('may have a rule behind one that is %s', (_, matches) => {
    const rules = [...matches, {}].map((match, index) => ({
      name: `rule ${index}`,
      match,
      data_cost: { flat: index },
    }));
    expect(validateRateCard(card({ rules }))).toEqual([]);
  });
});

describe('a rate card of another product than the index', () => {
  const rules = [
    {
      name: 'one',
      match: { resource: 'chat', model: 'gpt/5' },
      data_cost: { per: { tokens: 3 }, of: 1000 },
    },
    { name: 'all else', match: {}, data_cost: { per_row: 1 } },
  ];
  const weather = {
    version: 2,
    product: 'weather',
    effective_window: '2026w48',
    call_cost: 1,
    rules,
  };

  it('matches any member, and prices any unit', () => {
    expect(validateRateCard(weather)).toEqual([]);
    expect(validateRateCard({ ...weather, repeat: 'never' })).toEqual([]);
    expect(validateRateCard({ ...weather, repeat: 'week' })).toEqual([]);
  });

  it('has every fault named', () => {
    const wrong = {
      ...weather,
      repeat: 'daily',
      rules: [
        {
          name: 'a',
          match: { resource: 'A', kind: 'x', 'b-c': 'x', d: '' },
          data_cost: { per: {}, of: 0 },
        },
        { name: 'b', match: { x: 'y' }, data_cost: { per: { 'to kens': 1, output: -1 } } },
        { name: 'c', match: { x: 'y', z: '1' }, data_cost: { flat: 1, of: 10 } },
        { name: 'd', match: {}, data_cost: { flat: 1, per: { rows: 1 }, of: 1 } },
      ],
    };
    expect(validateRateCard(wrong)).toEqual([
      { pointer: '/repeat', detail: 'must be week or never' },
      {
        pointer: '/rules/0/match/resource',
        detail: 'must be 1 to 32 characters of a to z, 0 to 9 and "-"',
      },
      {
        pointer: '/rules/0/match/kind',
        detail: 'is no name of a member: 1 to 32 characters of a to z, 0 to 9 and "_"',
      },
      {
        pointer: '/rules/0/match/b-c',
        detail: 'is no name of a member: 1 to 32 characters of a to z, 0 to 9 and "_"',
      },
      { pointer: '/rules/0/match/d', detail: 'must be a text of 1 to 128 characters' },
      { pointer: '/rules/0/data_cost/per', detail: 'must price 1 to 16 units' },
      {
        pointer: '/rules/0/data_cost/of',
        detail: 'must be a whole number from 1 to 9007199254740991',
      },
      {
        pointer: '/rules/1/data_cost/per/to kens',
        detail: 'is no name of a unit: 1 to 32 characters of a to z, 0 to 9 and "_"',
      },
      {
        pointer: '/rules/1/data_cost/per/output',
        detail: 'must be a whole number from 0 to 9007199254',
      },
      { pointer: '/rules/1/data_cost/of', detail: 'is missing' },
      { pointer: '/rules/2/data_cost/of', detail: 'belongs to per' },
      { pointer: '/rules/3/data_cost', detail: 'must have one of flat, per_row, and per with of' },
      { pointer: '/rules/2/match', detail: 'is never reached: rule 1 matches all of it' },
    ]);
  });

  it.each(['Weather', '', 'a b', 7, null, 'x'.repeat(33)])(
    'is not of the product %p',
    (product) => {
      expect(pointers({ ...weather, product })).toContain('/product');
    },
  );

  it('repeats in every week where it is one of the index, and prices rows alone there', () => {
    expect(pointers({ ...RATE_CARD_1, product: 'v1' })).toEqual([]);
    expect(pointers({ ...RATE_CARD_1, repeat: 'never' })).toEqual(['/repeat']);
    const per = (units: object) =>
      card({ rules: [{ name: 'a', match: {}, data_cost: { per: units, of: 2 } }] });
    expect(pointers(per({ rows: 3 }))).toEqual([]);
    expect(pointers(per({ tokens: 3 }))).toEqual(['/rules/0/data_cost/per/tokens']);
  });
});
