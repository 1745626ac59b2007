import { TUESDAY } from '#account/scenario.suite.js';
import { itemsOf } from '../../../../test/setup/admin-stage.js';
import { adminStageOfEachTest } from '../../../../test/setup/stages.js';
import { waitFor } from '../../../../test/setup/wait-for.js';

// A product that nothing of the service but its rate card knows.

const WEEK = 7 * 86_400_000;
const rules = [
  { name: 'Europe', match: { region: 'eu' }, data_cost: { per: { rows: 15 }, of: 10 } },
  { name: 'all else', match: {}, data_cost: { per_row: 1 } },
];
const card = { product: 'weather', effective_window: null, call_cost: 10, rules };
const FORECAST = { product: 'weather', resource: 'forecast', region: 'eu', city: 'São Paulo' };
const KEY = '/weather/2026w48/forecast?city=S%C3%A3o%20Paulo&region=eu';

const stage = adminStageOfEachTest();

describe('a product beside the popularity index', () => {
  it('is sold from the moment of its first card on, for the running week', async () => {
    const account = await stage.prepaid();
    const early = stage.call(account, { resource: FORECAST, units: { rows: 3 } });
    await expect(early).rejects.toThrow('no-rate-card');
    const published = await stage.post('/rate-cards', card);
    expect(published.json).toMatchObject({
      version: 2,
      product: 'weather',
      repeat: 'week',
      effective_window: '2026w48',
      in_force: true,
      in_force_next: true,
    });
    const { made } = await stage.call(account, { resource: FORECAST, units: { rows: 3 } });
    expect(made).toMatchObject({ key: KEY, kind: 'base', cost: [10, 5], card: 2, rule: 'Europe' });
    const index = await stage.get('/rate-cards/1');
    expect(index.json).toMatchObject({ in_force: true, in_force_next: true });
    const again = await stage.post('/rate-cards', card);
    expect(again.json).toMatchObject({ version: 3, effective_window: null, in_force: false });
    const late = await stage.post('/rate-cards', { ...card, effective_window: '2026w48' });
    expect(late.status).toBe(409);
    const { rules: wrong } = { rules: [{ ...rules[0], match: { kind: 'x' } }] };
    const faulty = await stage.post('/rate-cards', { ...card, repeat: 'never', rules: wrong });
    expect(faulty.status).toBe(400);
    expect(faulty.text).toContain('/rules/0/match/kind');
  });

  it('has keys of its own in every week', async () => {
    const account = await stage.prepaid();
    await stage.post('/rate-cards', card);
    const kindOf = async () => (await stage.call(account, { resource: FORECAST })).made.kind;
    expect([await kindOf(), await kindOf()]).toEqual(['base', 'repeat']);
    stage.now = TUESDAY + WEEK;
    expect([await kindOf(), await kindOf()]).toEqual(['base', 'repeat']);
  });

  it('is counted, explained and previewed as the index is, and apart from it', async () => {
    const account = await stage.prepaid();
    await stage.post('/rate-cards', card);
    await stage.call(account, { rows: 12 });
    const { id } = await stage.call(account, { resource: FORECAST, units: { rows: 3 } });
    await stage.call(account, { resource: { ...FORECAST, region: 'us' }, units: { rows: 3 } });
    await stage.call(account, { resource: FORECAST, units: { rows: 3 } });
    const usage = await stage.get(`/accounts/${account}/usage?by=resource,region,kind`);
    const sums = itemsOf(usage).filter(({ resource }) => resource === 'forecast');
    expect(sums).toEqual([
      expect.objectContaining({ region: 'eu', kind: 'base', calls: 1, credits_used: 15 }),
      expect.objectContaining({ region: 'eu', kind: 'repeat', calls: 1, credits_used: 10 }),
      expect.objectContaining({ region: 'us', kind: 'base', calls: 1, credits_used: 13 }),
    ]);
    expect((await stage.get(`/calls/${id}`)).json).toMatchObject({
      key: KEY,
      rule: 'Europe',
      rate_card: 2,
      data_cost: 5,
    });
    const tried = {
      product: 'weather',
      call_cost: 1,
      rules: [{ name: 'all', match: {}, data_cost: { per_row: 4 } }],
      from: '2026-11-24',
      to: '2026-11-25',
    };
    const preview = await stage.post('/rate-cards/preview', tried);
    expect(preview.json['total']).toMatchObject({
      calls: 3,
      actual_credits: 38,
      preview_credits: 3 + 2 * 12,
    });
    const { product: _product, ...ofIndex } = tried;
    const other = await stage.post('/rate-cards/preview', ofIndex);
    expect(other.json['total']).toMatchObject({ calls: 1 });
    const unpriced = { ...tried, rules: [{ name: 'all', match: {}, data_cost: { flat: 4 } }] };
    const refused = await stage.post('/rate-cards/preview', unpriced);
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('No rule of rate card 0 prices the unit'),
    ]);
  });

  it('has own cards of accounts, each of its product alone', async () => {
    await stage.post('/rate-cards', card);
    await stage.post('/rate-cards', { ...card, call_cost: 2 });
    const account = await stage.prepaid({ rate_cards: { weather: 3 } });
    const shown = () => stage.get(`/accounts/${account}`);
    expect((await shown()).json).toMatchObject({ rate_card: null, rate_cards: { weather: 3 } });
    expect((await stage.call(account, { resource: FORECAST })).made.card).toBe(3);
    expect((await stage.call(account)).made.card).toBe(1);
    const patch = (body: object) => stage.ask('PATCH', `/admin/v1/accounts/${account}`, { body });
    const wrong = await patch({ rate_card: 3, rate_cards: { weather: 1, llm: 3, v1: 1 } });
    expect(wrong.status).toBe(400);
    const places = (wrong.json['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);
    expect(places).toEqual([
      '/rate_card',
      '/rate_cards/weather',
      '/rate_cards/llm',
      '/rate_cards/v1',
    ]);
    await patch({ rate_cards: { weather: null } });
    expect((await shown()).json).toMatchObject({ rate_cards: {} });
    expect((await stage.call(account, { resource: FORECAST })).made.card).toBe(2);
  });

  it('is verified from the log', async () => {
    const account = await stage.prepaid();
    await stage.post('/rate-cards', card);
    await stage.post('/rate-cards', { ...card, product: 'llm', repeat: 'never' });
    for (const product of ['weather', 'llm', 'weather', 'llm']) {
      await stage.call(account, { resource: { ...FORECAST, product }, units: { rows: 3 } });
    }
    await stage.call(account);
    await stage.post('/verify');
    const ended = () => stage.logTools.verifications.state()?.state !== 'running';
    await waitFor('the verification', ended);
    expect((await stage.get('/verify')).json).toMatchObject({ status: 'done', intact: true });
  });
});
