import { adminStage } from '../../../../test/setup/stages.js';

const rules = [
  { name: 'top 5', match: { limit: 'top5' }, data_cost: { flat: 30 } },
  { name: 'all', match: {}, data_cost: { per_row: 2 } },
];
const card = { effective_window: '2026w49', call_cost: 12, rules };

const stage = adminStage();

/** The first card, and a second one that nobody is refused for. */
beforeAll(async () => {
  expect((await stage.post('/rate-cards', card)).status).toBe(201);
});

function pointersOf({ json }: { readonly json: Readonly<Record<string, unknown>> }): string[] {
  return (json['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);
}

describe('a version', () => {
  it.each(['9', '0', '01', 'x', '1.0', '-1', 'latest'])('%s is of no card', async (version) => {
    expect((await stage.get(`/rate-cards/${version}`)).json['code']).toBe('not-found');
  });
});

describe('a body', () => {
  it.each<[string, unknown, string[]]>([
    ['that is no object', [], ['']],
    ['without anything', {}, ['/effective_window', '/call_cost', '/rules']],
    ['with a member too many', { ...card, version: 7 }, ['/version']],
    [
      'with a date for a window',
      { ...card, effective_window: '2026-12-01' },
      ['/effective_window'],
    ],
    [
      'with a week that does not exist',
      { ...card, effective_window: '2026w54' },
      ['/effective_window'],
    ],
    ['with a blank reason', { ...card, reason: ' ' }, ['/reason']],
    [
      'with faults everywhere',
      {
        effective_window: 1,
        call_cost: -1,
        rules: [{ name: '', match: { limit: 'top6' } }],
        reason: 5,
      },
      [
        '/effective_window',
        '/call_cost',
        '/rules/0/name',
        '/rules/0/match/limit',
        '/rules/0/match',
        '/rules/0/data_cost',
        '/reason',
      ],
    ],
    [
      'with a rule that is never reached',
      { ...card, rules: [rules[1], rules[0], { ...rules[1], name: 'rest' }] },
      ['/rules/1/match', '/rules/2/match'],
    ],
  ])('%s gets all of its faults', async (_, body, pointers) => {
    const answer = await stage.post('/rate-cards', body);
    expect([answer.status, pointersOf(answer)]).toEqual([400, pointers]);
  });

  it('is needed', async () => {
    expect(pointersOf(await stage.ask('POST', '/admin/v1/rate-cards'))).toEqual(['']);
  });
});

describe('what a rate card changes', () => {
  it('is compared with another one', async () => {
    const { json } = await stage.get('/rate-cards/2/diff?against=1');
    expect(json).toMatchObject({
      version: 2,
      against: 1,
      call_cost: { before: 10, after: 12 },
      rules: {
        added: [],
        changed: [
          { name: 'top 5', before: { position: 3 }, after: { position: 0, ...rules[0] } },
          // Both match everything: it is the same rule under another name.
          { name: 'all', before: { name: 'per row' }, after: { position: 1, ...rules[1] } },
        ],
        reordered: false,
      },
    });
    expect(
      (json['rules'] as { removed: { name: string }[] }).removed.map(({ name }) => name),
    ).toEqual(['all beauty trends', 'all beauty brands', 'all skincare trends', 'time series']);
  });

  it.each(['/rate-cards/1/diff', '/rate-cards/1/diff?against=x', '/rate-cards/1/diff?against=9'])(
    '%s is refused',
    async (path) => {
      expect((await stage.get(path)).json['code']).toBe('invalid-parameter');
    },
  );
});

describe('a request for a preview', () => {
  const period = { from: '2026-11-01', to: '2026-12-01' };

  it.each<[string, object, string[]]>([
    ['without a card', period, ['']],
    ['without a period', { version: 1 }, ['/from', '/to']],
    ['with two cards', { version: 1, call_cost: 1, ...period }, ['/version']],
    ['with half a card', { call_cost: 1, ...period }, ['/rules']],
    ['of a card that is not there', { version: 9, ...period }, ['/version']],
    ['of a version that is none', { version: '1', ...period }, ['/version']],
    ['of no time at all', { version: 1, from: '2026-11-01', to: '2026-11-01' }, ['/to']],
    ['backwards', { version: 1, from: '2026-11-02', to: '2026-11-01' }, ['/to']],
    ['of days that are none', { version: 1, from: '2026-02-30', to: 'today' }, ['/from', '/to']],
    ['of an account that is none', { version: 1, ...period, account_id: 'x' }, ['/account_id']],
    [
      'of an account that was never opened',
      { version: 1, ...period, account_id: '0197c000-0000-7000-8000-000000000000' },
      ['/account_id'],
    ],
    [
      'wrong in every member',
      { call_cost: 0.5, rules: [], from: 1, to: null, account_id: 7, test: true },
      ['/account_id', '/call_cost', '/from', '/rules', '/test', '/to'],
    ],
  ])('%s is refused', async (_, body, pointers) => {
    const { status, json } = await stage.post('/rate-cards/preview', body);
    const found = (json['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);
    expect([status, found.toSorted()]).toEqual([400, pointers]);
  });

  it('takes no other query, and no other form of an answer', async () => {
    expect(
      (await stage.post('/rate-cards/preview?test=1', { version: 1, ...period })).json['code'],
    ).toBe('invalid-parameter');
    const { json } = await stage.ask('POST', '/admin/v1/rate-cards/preview', {
      body: { version: 1, ...period },
      headers: { accept: 'application/xml' },
    });
    expect(json['code']).toBe('not-acceptable');
  });
});
