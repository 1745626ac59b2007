import { TUESDAY } from '#account/scenario.suite.js';
import { SYSTEM_LANE } from '#event-log/event-log.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import { itemsOf } from '../../../../test/setup/admin-stage.js';
import { adminStageOfEachTest } from '../../../../test/setup/stages.js';

/** The stage stands in 2026w48, which ends where 2026w49 begins. */
const NEXT_TUESDAY = Date.UTC(2026, 11, 1);
const MINUTE = 60_000;
const rules = [
  { name: 'top 5', match: { limit: 'top5' }, data_cost: { flat: 30 } },
  { name: 'all', match: {}, data_cost: { per_row: 2 } },
];
const card = { effective_window: '2026w49', call_cost: 12, rules };

const stage = adminStageOfEachTest();

describe('a rate card', () => {
  it('is published for a window to come, and shown by its version', async () => {
    const published = await stage.post('/rate-cards', { ...card, reason: 'A new year.' });
    expect(published.status).toBe(201);
    expect(published.headers['location']).toBe('/admin/v1/rate-cards/2');
    expect(published.json).toEqual({
      version: 2,
      product: 'v1',
      repeat: 'week',
      ...card,
      effective_from: '2026-12-01T00:00:00Z',
      in_force: false,
      in_force_next: true,
      published_at: '2026-11-24T09:00:00.000Z',
      published_by: 'owner',
      reason: 'A new year.',
    });
    expect((await stage.get('/rate-cards/2')).json).toEqual(published.json);
  });

  it('stands in the stream of the system with who, when, why and by which request', async () => {
    const { headers } = await stage.post('/rate-cards', { ...card, reason: 'A new year.' });
    const [event] = await stage.log.read(SYSTEM_LANE, 0, 10);
    expect(event).toMatchObject({ type: 'RateCardPublished', at: TUESDAY });
    expect(JSON.parse(event?.data ?? '')).toEqual({
      version: 2,
      ...card,
      by: 'owner',
      request: headers['request-id'],
      input: expect.any(String),
      reason: 'A new year.',
    });
  });

  it('is built in: the first one prices from the beginning', async () => {
    expect((await stage.get('/rate-cards/1')).json).toEqual({
      ...RATE_CARD_1,
      product: 'v1',
      repeat: 'week',
      effective_from: null,
      in_force: true,
      in_force_next: true,
      published_at: null,
      published_by: null,
      reason: null,
    });
  });

  it('may be for those who name it, and is never in force for others', async () => {
    const { json } = await stage.post('/rate-cards', { ...card, effective_window: null });
    expect(json).toMatchObject({ version: 2, effective_window: null, effective_from: null });
    stage.now = NEXT_TUESDAY + MINUTE;
    expect((await stage.get('/rate-cards/2')).json).toMatchObject({
      in_force: false,
      in_force_next: false,
    });
  });
});

describe('the list of rate cards', () => {
  it('says which prices the running window and which the next one', async () => {
    const shown = async (): Promise<unknown[]> =>
      itemsOf(await stage.get('/rate-cards')).map((item) => [
        item['version'],
        item['in_force'],
        item['in_force_next'],
      ]);
    await stage.post('/rate-cards', card);
    await stage.post('/rate-cards', { ...card, call_cost: 13 });
    await stage.post('/rate-cards', { ...card, effective_window: '2026w50' });
    expect(await shown()).toEqual([
      [1, true, false],
      [2, false, false],
      [3, false, true],
      [4, false, false],
    ]);
    stage.now = NEXT_TUESDAY;
    expect(await shown()).toEqual([
      [1, false, false],
      [2, false, false],
      [3, true, false],
      [4, false, true],
    ]);
  });

  it('comes in pages', async () => {
    await stage.post('/rate-cards', card);
    const first = await stage.get('/rate-cards?limit=1');
    const rest = await stage.get(`/rate-cards?after=${String(first.json['next'])}`);
    const versions = [first, rest].flatMap(itemsOf).map(({ version }) => version);
    expect([versions, rest.json['next']]).toEqual([[1, 2], null]);
  });
});

describe('a window', () => {
  it('takes a card until 60 s before it begins, and none from then on', async () => {
    // Milliseconds from the beginning of 2026w49, the window asked for, and the answer.
    const asked: [number, string, number][] = [
      [-MINUTE, '2026w49', 201],
      [-MINUTE + 1, '2026w49', 409],
      [-1, '2026w50', 201],
      [0, '2026w49', 409],
    ];
    for (const [ms, window, status] of asked) {
      stage.now = NEXT_TUESDAY + ms;
      const answer = await stage.post('/rate-cards', { ...card, effective_window: window });
      expect([ms, window, answer.status]).toEqual([ms, window, status]);
      if (status === 409) expect(answer.json['detail']).toContain('can begin with is 2026w50');
    }
    expect(await stage.log.read(SYSTEM_LANE, 0, 10)).toHaveLength(2);
  });
});

describe('a retry', () => {
  it('under the same key gets the card again, as it was when it was published', async () => {
    const first = await stage.post('/rate-cards', card, 'card-1');
    await stage.post('/rate-cards', { ...card, call_cost: 14 });
    stage.now = NEXT_TUESDAY + 1;
    const again = await stage.post('/rate-cards', card, 'card-1');
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(again.json).toEqual(first.json);
    expect(await stage.log.read(SYSTEM_LANE, 0, 10)).toHaveLength(2);
  });

  it('under the same key with other prices is refused', async () => {
    await stage.post('/rate-cards', card, 'card-1');
    const other = await stage.post('/rate-cards', { ...card, call_cost: 13 }, 'card-1');
    expect(other.json['code']).toBe('idempotency-conflict');
  });

  it('without a key is another card', async () => {
    await stage.post('/rate-cards', card);
    expect((await stage.post('/rate-cards', card)).json['version']).toBe(3);
  });

  it('ten at once under one key publish one card', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => stage.post('/rate-cards', card, 'card-1')),
    );
    expect(answers.map(({ json }) => json['version'])).toEqual(Array(10).fill(2));
    expect(await stage.log.read(SYSTEM_LANE, 0, 10)).toHaveLength(1);
  });
});

describe('an account', () => {
  it('may be opened with any card that is published', async () => {
    const unknown = await stage.post('/accounts', { name: 'Nails & Co', rate_card: 2 });
    expect(unknown.json).toMatchObject({ status: 400, errors: [{ pointer: '/rate_card' }] });
    await stage.post('/rate-cards', { ...card, effective_window: null });
    const id = await stage.prepaid({ rate_card: 2 });
    const { made } = await stage.call(id);
    expect([made.card, made.cost]).toEqual([2, [12, 14]]);
  });
});
