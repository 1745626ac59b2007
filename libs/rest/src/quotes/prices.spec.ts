import { portalStageOfEachTest } from '../../../../test/setup/stages.js';

const CARD = {
  effective_window: '2026w49',
  call_cost: 10,
  rules: [
    { name: 'all beauty trends', match: { resource: 'trends' }, data_cost: { flat: 55_000 } },
  ],
};
const REST = { name: 'all', match: {}, data_cost: { per_row: 5 } };
const BUYER = {
  name: 'Acme GmbH',
  email: 'pay@acme.example',
  address: { line1: 'Gasse 2', city: 'Graz', postcode: '8010', country: 'AT' },
};

const put = (of: string, body: object) =>
  stage.ask('PUT', '/portal/v1/billing', { cookie: of, body });

const stage = portalStageOfEachTest();
let account: string;
let cookie: string;

beforeEach(async () => {
  account = await stage.admin.prepaid();
  cookie = await stage.signIn(account);
});

it('shows the card in force, and the next one with what a week costs by both', async () => {
  await stage.admin.call(account);
  const before = await stage.get('/prices', cookie);
  expect(before.json).toMatchObject({ own: false, in_force: { version: 1 }, next: null });
  expect(before.json['in_force']).toMatchObject({ weekly_credits: 50_000 });
  await stage.admin.post('/rate-cards', { ...CARD, rules: [...CARD.rules, REST] });
  stage.admin.now += 11_000;
  const { json } = await stage.get('/prices', cookie);
  expect(json).toMatchObject({
    in_force: { version: 1, weekly_credits: 50_000 },
    next: {
      version: 2,
      effective_window: '2026w49',
      effective_from: '2026-12-01T00:00:00Z',
      weekly_credits: 55_010,
      changes: { call_cost: { before: 10, after: 10 } },
    },
  });
});

it('foresees each day to the end of the month and of the next window', async () => {
  await stage.admin.call(account);
  const { status, json } = await stage.get('/forecast', cookie);
  const days = json['days'] as { day: string; window: string; credits: number }[];
  expect(status).toBe(200);
  expect(days[0]).toMatchObject({ day: '2026-11-24', window: '2026w48' });
  expect(days.at(-1)).toMatchObject({ day: '2026-12-07', window: '2026w49' });
  const next = days.filter(({ window }) => window === '2026w49');
  const credits = next.reduce((sum, day) => sum + day.credits, 0);
  expect(credits).toBeGreaterThanOrEqual(Number(json['next_window_credits']));
  expect(json['next_window_credits']).toBe(50_000);
});

it('lets a manager change whom invoices are addressed to, and nobody what is agreed', async () => {
  const tax = { category: 'S', rate_percent: 20 };
  const agreed = { ...BUYER, tax, purchases: 'monthly' };
  await stage.admin.ask('PUT', `/admin/v1/accounts/${account}/billing`, { body: agreed });
  const moved = { ...BUYER, name: 'Acme Holding' };
  expect((await put(cookie, moved)).status).toBe(200);
  expect((await stage.get('/billing', cookie)).json).toEqual({ ...agreed, name: 'Acme Holding' });
  const taxed = await put(cookie, {
    ...moved,
    tax: { category: 'O', rate_percent: 0 },
  });
  expect([taxed.status, taxed.json['errors']]).toMatchObject([400, [{ pointer: '/tax' }]]);
  const { status, json } = await put(cookie, agreed);
  expect([status, json['errors']]).toMatchObject([
    400,
    [{ pointer: '/tax' }, { pointer: '/purchases' }],
  ]);
  const viewer = await stage.signIn(account, 'viewer');
  expect((await put(viewer, moved)).status).toBe(403);
});

it('tries a limit on the calls of the running and the last period', async () => {
  for (let n = 0; n < 3; n += 1) await stage.admin.call(account);
  const asked = { period: 'month', limit_credits: 50_009 };
  const { status, json } = await stage.post('/budgets/preview', cookie, asked);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    spent_credits: 50_020,
    periods: [
      { period: '2026-11', calls: 3, credits_used: 50_020, refused_calls: 2, refused_credits: 20 },
      { period: '2026-10', calls: 0, refused_calls: 0, first_refused_at: null, is_whole: true },
    ],
  });
});
