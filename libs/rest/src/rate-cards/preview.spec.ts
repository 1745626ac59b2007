import fc from 'fast-check';
import { allBeauty, DAY, HOUR, TUESDAY } from '#account/scenario.suite.js';
import type { CallMade } from '#account/calls.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import { itemsOf, type Answered } from '../../../../test/setup/admin-stage.js';
import { adminStageOfEachTest } from '../../../../test/setup/stages.js';
import { previewRateCard } from './rate-card-preview.js';

const dearer = { call_cost: 20, rules: [{ name: 'all', match: {}, data_cost: { per_row: 100 } }] };
const week = { from: '2026-11-24', to: '2026-12-01' };
const NEVER = new AbortController().signal;

const stage = adminStageOfEachTest();

function preview(body: object, query = ''): Promise<Answered> {
  return stage.post(`/rate-cards/preview${query}`, body);
}

/** One first call of seven rows, and a repeat an hour later. */
async function callTwice(id: string): Promise<void> {
  await stage.call(id);
  stage.now += HOUR;
  await stage.call(id);
}

const twice = { calls: 2, actual_credits: 50_010, preview_credits: 740, difference: -49_270 };
const none = { accounts: 0, calls: 0, actual_credits: 0, preview_credits: 0, difference: 0 };

describe('a preview', () => {
  it('is what the period cost and would have cost, by account and in total', async () => {
    const [one, other] = [await stage.prepaid(), await stage.prepaid({ name: 'Lashes' })];
    await callTwice(one);
    await stage.call(other, { resource: { ...allBeauty, limit: 'top5' } });
    const { status, json } = await preview({ ...dearer, ...week });
    const lashes = { calls: 1, actual_credits: 35, preview_credits: 720, difference: 685 };
    expect([status, json]).toEqual([
      200,
      {
        version: null,
        from: '2026-11-24T00:00:00Z',
        to: '2026-12-01T00:00:00Z',
        total: {
          accounts: 2,
          calls: 3,
          actual_credits: 50_045,
          preview_credits: 1_460,
          difference: -48_585,
        },
        items: [
          { account_id: other, name: 'Lashes', test: false, rate_card: null, ...lashes },
          { account_id: one, name: 'Nails & Co', test: false, rate_card: null, ...twice },
        ],
        next: null,
      },
    ]);
  });

  it('writes nothing', async () => {
    await callTwice(await stage.prepaid());
    const before = await stage.log.ends();
    await preview({ ...dearer, ...week });
    expect(await stage.log.ends()).toEqual(before);
  });

  it('by a published card is of its version, and by the first changes nothing here', async () => {
    await callTwice(await stage.prepaid());
    const { json } = await preview({ version: 1, ...week });
    expect(json).toMatchObject({ version: 1, total: { calls: 2, difference: 0 } });
    await stage.post('/rate-cards', { effective_window: null, ...dearer });
    expect((await preview({ version: 2, ...week })).json['total']).toEqual({
      accounts: 1,
      ...twice,
    });
  });

  it('of a period takes its first instant and not its last', async () => {
    const id = await stage.prepaid();
    await stage.call(id);
    const at = (ms: number) => new Date(TUESDAY + ms).toISOString();
    const calls = async (from: number, to: number) =>
      (
        (await preview({ ...dearer, from: at(from), to: at(to) })).json['total'] as {
          calls: number;
        }
      ).calls;
    expect(await calls(0, 1)).toBe(1);
    expect(await calls(1, 2)).toBe(0);
    expect(await calls(-1, 0)).toBe(0);
  });

  it('of no calls is empty', async () => {
    const { json } = await preview({ ...dearer, ...week });
    expect([json['total'], json['items']]).toEqual([none, []]);
  });

  it('leaves test accounts out, unless they are asked for', async () => {
    const test = await stage.prepaid({ test_clock: '2020-01-07T00:00:00Z' });
    await stage.call(test, { at: Date.parse('2020-01-07T00:00:00Z') });
    const then = { from: '2020-01-01', to: '2020-02-01' };
    expect((await preview({ ...dearer, ...then })).json['total']).toEqual(none);
    expect((await preview({ ...dearer, ...then }, '?test=false')).json['total']).toEqual(none);
    const asked = await preview({ ...dearer, ...then }, '?test=true');
    expect(itemsOf(asked)).toMatchObject([{ account_id: test, test: true, calls: 1 }]);
    const named = await preview({ ...dearer, ...then, account_id: test });
    expect(itemsOf(named)).toMatchObject([{ account_id: test, test: true, calls: 1 }]);
  });

  it('of one account is of that alone', async () => {
    const [one, other] = [await stage.prepaid(), await stage.prepaid()];
    await callTwice(one);
    await stage.call(other);
    const { json } = await preview({ ...dearer, ...week, account_id: one.toUpperCase() });
    expect([json['total'], itemsOf({ json } as Answered)]).toMatchObject([
      { accounts: 1, ...twice },
      [{ account_id: one }],
    ]);
  });

  it('is refused where it adds up to more than whole numbers hold', async () => {
    await callTwice(await stage.prepaid());
    const absurd = { ...dearer, call_cost: Number.MAX_SAFE_INTEGER - 100_000_000 };
    const { json } = await preview({ ...absurd, ...week });
    expect(json).toMatchObject({ code: 'conflict', detail: expect.stringContaining('2^53') });
  });

  it('comes as CSV, one line an account', async () => {
    const id = await stage.prepaid({ name: '=1+1' });
    await callTwice(id);
    const { text, headers } = await stage.ask('POST', '/admin/v1/rate-cards/preview', {
      body: { ...dearer, ...week },
      headers: { accept: 'text/csv' },
    });
    expect(headers['content-type']).toContain('text/csv');
    expect(text.split('\r\n')).toEqual([
      'account_id,name,test,rate_card,calls,actual_credits,preview_credits,difference',
      `${id},'=1+1,false,,2,50010,740,-49270`,
      '',
    ]);
  });
});

describe('over any calls', () => {
  /** Price for each account, computed from its events one by one. */
  async function expected(ids: readonly string[], from: number, to: number) {
    const sums = new Map<string, [calls: number, actual: number, preview: number]>();
    for (const id of ids) {
      for (const { type, at, data } of await stage.log.readAccount(id, 0, 1_000)) {
        if (type !== 'CallMade' || at < from || at >= to) continue;
        const { cost, kind, rows } = JSON.parse(data) as CallMade;
        const [calls, actual, sum] = sums.get(id) ?? [0, 0, 0];
        const price = kind === 'base' ? 20 + 100 * rows : 20;
        sums.set(id, [calls + 1, actual + cost[0] + cost[1], sum + price]);
      }
    }
    return sums;
  }

  it('a preview is what the events say one by one, for any period', async () => {
    const ids = [await stage.prepaid(), await stage.prepaid(), await stage.prepaid()];
    const regions = ['us', 'gb', 'fr'] as const;
    for (let count = 0; count < 60; count += 1) {
      stage.now += (count % 7) * HOUR;
      const region = regions[count % 3] ?? 'us';
      const resource = { ...allBeauty, limit: 'top100' as const, region };
      await stage.call(ids[(count * 5) % 3] ?? '', { resource, rows: 1 + (count % 9) });
    }
    const moment = fc.integer({ min: 0, max: 9 * 24 }).map((hour) => TUESDAY + hour * HOUR);
    await fc.assert(
      fc.asyncProperty(
        moment,
        moment,
        fc.constantFrom(null, ...ids),
        async (from, to, accountId) => {
          const scope = { from, to, accountId, test: false };
          const { items } = await previewRateCard(stage.pool, dearer, scope, NEVER);
          const found = items.map((item) => [
            item.account_id,
            [item.calls, item.actual_credits, item.preview_credits],
          ]);
          const wanted = await expected(accountId === null ? ids : [accountId], from, to);
          expect(new Map(found as [string, [number, number, number]][])).toEqual(wanted);
        },
      ),
      { numRuns: 25 },
    );
    const all = { from: 0, to: TUESDAY + 100 * DAY, accountId: null, test: true };
    const { total } = await previewRateCard(stage.pool, RATE_CARD_1, all, NEVER);
    expect([total.calls, total.difference]).toEqual([60, 0]);
  });

  it('one that nobody waits for any more ends', async () => {
    await callTwice(await stage.prepaid());
    const leaving = AbortSignal.abort(new Error('gone'));
    const scope = { from: 0, to: TUESDAY + DAY, accountId: null, test: true };
    await expect(previewRateCard(stage.pool, dearer, scope, leaving)).rejects.toThrow('gone');
  });
});
