import { allBeauty } from '#account/scenario.suite.js';
import { itemsOf } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';

const stage = adminStage();
let accounts: string[];

beforeAll(async () => {
  accounts = [];
  for (let index = 0; index < 5; index += 1) accounts.push(await stage.prepaid());
  const test = await stage.prepaid({ test_clock: '2026-11-24T12:00:00Z' });
  for (let round = 0; round < 6; round += 1) {
    for (const [index, id] of accounts.entries()) {
      stage.now += 1_000;
      const region = (['us', 'fr', 'kr'] as const)[(round + index) % 3] ?? 'us';
      await stage.call(id, { resource: { ...allBeauty, limit: 'top5', region } });
    }
  }
  await stage.call(test, { at: Date.parse('2026-11-24T12:00:00Z') });
});

async function pages(path: string, limit: number): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let after: string | null = null;
  do {
    const cursor: string = after === null ? '' : `&after=${after}`;
    const page = await stage.get(`${path}&limit=${limit}${cursor}`);
    items.push(...itemsOf(page));
    after = page.json['next'] as string | null;
  } while (after !== null);
  return items;
}

describe('calls of all accounts', () => {
  it.each(['asc', 'desc'])('come by moment (%s), whatever the length of a page', async (order) => {
    const calls = await pages(`/calls?test=false&order=${order}`, 7);
    const moments = calls.map(({ at }) => String(at));
    expect(calls).toHaveLength(30);
    expect(new Set(calls.map(({ call_id: id }) => id)).size).toBe(30);
    const sorted = moments.toSorted();
    expect(moments).toEqual(order === 'asc' ? sorted : sorted.toReversed());
    expect(await pages(`/calls?test=false&order=${order}`, 1000)).toEqual(calls);
  });

  it.each([
    ['region=fr', 10],
    ['kind=base&resource=trends', 16],
    ['kind=base&test=false', 15],
    ['test=true', 1],
    ['from=2030-01-01', 0],
  ])('that meet %s are %i', async (filter, count) => {
    expect(await pages(`/calls?${filter}`, 4)).toHaveLength(count);
  });

  it('of one account are those of its own list', async () => {
    const own = itemsOf(await stage.get(`/accounts/${accounts[0]}/calls`));
    const calls = itemsOf(await stage.get(`/calls?account_id=${accounts[0]}`));
    const account = { account_id: accounts[0], account_name: 'Nails & Co' };
    expect(calls).toEqual(own.map((call) => ({ ...account, ...call })));
    const key = String(own[0]?.['api_key_id']);
    expect(itemsOf(await stage.get(`/calls?api_key_id=${key}`))).toEqual(calls);
  });

  it('can be had whole as CSV', async () => {
    const { text } = await stage.get('/calls?test=false', { accept: 'text/csv' });
    expect(text.trim().split('\n')).toHaveLength(31);
  });
});

describe('sums over all accounts', () => {
  it.each(['', 'account', 'day,region', 'account,kind,resource', 'month,window,rule'])(
    'by "%s" are the sums of their calls',
    async (by) => {
      const sums = await pages(`/usage?by=${by}&test=false`, 3);
      const calls = await pages('/calls?test=false', 1000);
      const total = (items: Record<string, unknown>[], name: string): number =>
        items.reduce((sum, item) => sum + Number(item[name]), 0);
      expect(total(sums, 'calls')).toBe(30);
      expect(total(sums, 'credits_used')).toBe(total(calls, 'credits_used'));
    },
  );

  it('come in either order', async () => {
    const sums = await pages('/usage?by=account,day,region', 100);
    expect(await pages('/usage?by=account,day,region&order=desc', 4)).toEqual(sums.toReversed());
  });

  it('leave out days before and after', async () => {
    const [sums] = itemsOf(await stage.get('/usage?from=2026-11-25'));
    expect(sums).toMatchObject({ calls: 0 });
  });
});

describe('the feed of events', () => {
  async function feed(limit: number, after = ''): Promise<{ events: object[]; next: string }> {
    const { text } = await stage.get(`/events?limit=${limit}${after && `&after=${after}`}`);
    const lines = text.trim().split('\n');
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    return { events: parsed.slice(0, -1), next: String(parsed.at(-1)?.['next']) };
  }

  it('read on from each place holds every event of every lane once, in its order', async () => {
    const seen: string[] = [];
    const positions = new Map<unknown, number>();
    let after = '';
    for (;;) {
      const { events, next } = await feed(13, after);
      if (events.length === 0) break;
      expect(events.length).toBeLessThanOrEqual(13);
      for (const { lane, position } of events as { lane: number; position: number }[]) {
        expect(position).toBe((positions.get(lane) ?? 0) + 1);
        positions.set(lane, position);
        seen.push(`${lane} ${position}`);
      }
      after = next;
    }
    const { rows } = await stage.pool.query<{ count: number }>('select count(*)::int from event');
    expect(seen).toHaveLength(rows[0]?.count ?? -1);
    await stage.call(accounts[1] ?? '');
    const { events } = await feed(10, after);
    expect(events).toMatchObject([{ type: 'CallMade', account_id: accounts[1] }]);
  });

  it('takes no cursor of another list', async () => {
    const { status } = await stage.get('/events?after=YWxsLWV2ZW50cyAw');
    expect(status).toBe(400);
  });
});

describe('an account whose rows are not written yet', () => {
  it('is with those of its kind', async () => {
    await stage.projections.stop();
    const id = await stage.prepaid({ test_clock: '2026-11-24T13:00:00Z' });
    const { made } = await stage.call(id, { at: Date.parse('2026-11-24T13:00:00Z') });
    const others = await pages('/calls?test=false', 1000);
    expect(others.filter((call) => call['account_id'] === id)).toEqual([]);
    expect(await pages('/calls?test=true', 1000)).toMatchObject([
      {},
      { account_id: id, account_name: 'Nails & Co' },
    ]);
    const usage = '/admin/v1/usage?by=account&test=true';
    const sums = itemsOf(await stage.ask('GET', usage, { mayLag: true }));
    expect(sums.filter(({ account }) => account === id)).toMatchObject([
      { calls: 1, call_cost: made.cost[0], data_cost: made.cost[1] },
    ]);
  });
});
