import { randomUUID } from 'node:crypto';
import { idOf, itemsOf, type Answered } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import type { Asked } from '../../../../test/setup/asked.js';

const stage = adminStage();

const CLOCK = '2026-11-24T09:00:00Z';
const BUDGET = {
  period: 'month',
  limit_credits: 100_000,
  thresholds: [50, 80, 100],
  action: 'block',
};
const NOTIFY = { emails: ['ada@example.org', 'bo@example.org'] };

/** An account with a test clock and credits; each call of it costs 50,000 at first, then 10. */
function account(): Promise<string> {
  return stage.prepaid({ test_clock: CLOCK }, 1_000_000);
}

function make(id: string, members: object = {}, key?: string): Promise<Answered> {
  return stage.post(`/accounts/${id}/budgets`, { ...BUDGET, ...members }, key);
}

function ask(method: 'GET' | 'PUT' | 'DELETE', id: string, budgetId: string, asked: Asked = {}) {
  return stage.ask(method, `/admin/v1/accounts/${id}/budgets/${budgetId}`, asked);
}

async function typesOf(id: string): Promise<unknown[]> {
  return itemsOf(await stage.get(`/accounts/${id}/events`)).map(({ type }) => type);
}

describe('a budget', () => {
  it('is answered with its address and its ETag, and found there', async () => {
    const id = await account();
    const made = await make(id, { notify: NOTIFY, thresholds: [100, 50] });
    const budgetId = idOf(made);
    expect(made.headers['location']).toBe(`/admin/v1/accounts/${id}/budgets/${budgetId}`);
    expect(made.json).toEqual({
      id: budgetId,
      period: 'month',
      limit_credits: 100_000,
      thresholds: [50, 100],
      action: 'block',
      api_key_id: null,
      spent_credits: 0,
      left_credits: 100_000,
      resets_at: '2026-12-01T00:00:00Z',
      exhausted_at: null,
      expected_credits: 0,
      running_period: '2026-11',
      crossed_thresholds: [],
      blocked: false,
      notify: NOTIFY,
    });
    const found = await ask('GET', id, budgetId);
    expect([found.json, found.headers['etag']]).toEqual([made.json, made.headers['etag']]);
    expect(itemsOf(await stage.get(`/accounts/${id}/budgets`))).toEqual([made.json]);
  });

  it('stands in the account too, without its addresses', async () => {
    const id = await account();
    await make(id, { notify: NOTIFY });
    const { json, text } = await stage.get(`/accounts/${id}`);
    expect(json['budgets']).toMatchObject([{ limit_credits: 100_000, spent_credits: 0 }]);
    expect(text).not.toContain('example.org');
    expect((await stage.get(`/accounts/${id}/events`)).text).not.toContain('example.org');
  });

  it('shows what is spent, its alerts and that it blocked, and resets', async () => {
    const id = await account();
    const budgetId = idOf(await make(id, { period: 'window', limit_credits: 60_000 }));
    await stage.call(id);
    await expect(stage.call(id, { rows: 9_000, resource: related('fr') })).rejects.toThrow(
      'budget-exhausted',
    );
    expect((await ask('GET', id, budgetId)).json).toMatchObject({
      spent_credits: 50_000,
      left_credits: 10_000,
      running_period: '2026w48',
      crossed_thresholds: [50, 80],
      blocked: true,
    });
    await stage.post(`/accounts/${id}/test-clock`, { now: '2026-12-01T00:00:00Z' });
    expect((await ask('GET', id, budgetId)).json).toMatchObject({
      spent_credits: 0,
      left_credits: 60_000,
      running_period: '2026w49',
      resets_at: '2026-12-08T00:00:00Z',
      crossed_thresholds: [],
      blocked: false,
    });
  });

  it('that is made when credits are spent already reports them at once', async () => {
    const id = await account();
    await stage.call(id);
    expect((await make(id)).json).toMatchObject({
      spent_credits: 50_000,
      crossed_thresholds: [50],
    });
    expect(itemsOf(await stage.get(`/accounts/${id}/alerts`))).toMatchObject([
      { threshold: 50, call_id: null },
    ]);
  });

  it('of an API key counts the calls of that key alone', async () => {
    const id = await account();
    const other = idOf(await stage.post(`/accounts/${id}/api-keys`, { label: 'Reports' }));
    const [first] = itemsOf(await stage.get(`/accounts/${id}/api-keys`));
    await make(id, { api_key_id: other });
    await make(id, { api_key_id: String(first?.['id']).toUpperCase() });
    await stage.call(id);
    const budgets = itemsOf(await stage.get(`/accounts/${id}/budgets`));
    expect(budgets).toMatchObject([
      { api_key_id: other, spent_credits: 0 },
      { api_key_id: first?.['id'], spent_credits: 50_000 },
    ]);
  });

  it('is listed page by page in the order of making', async () => {
    const id = await account();
    for (const limit of [1, 2, 3]) await make(id, { limit_credits: limit });
    const first = await stage.get(`/accounts/${id}/budgets?limit=2`);
    const rest = await stage.get(
      `/accounts/${id}/budgets?limit=2&after=${String(first.json['next'])}`,
    );
    const limits = [first, rest].flatMap(itemsOf).map((budget) => budget['limit_credits']);
    expect([limits, rest.json['next']]).toEqual([[1, 2, 3], null]);
  });
});

describe('replacing a budget', () => {
  it('replaces all of it, and reports nothing twice', async () => {
    const id = await account();
    const budgetId = idOf(await make(id, { notify: NOTIFY }));
    await stage.call(id);
    const body = { ...BUDGET, action: 'alert', thresholds: [40, 50], reason: 'Too many mails.' };
    const replaced = await ask('PUT', id, budgetId, { body });
    expect(replaced.json).toMatchObject({
      id: budgetId,
      action: 'alert',
      notify: null,
      crossed_thresholds: [40, 50],
    });
    const alerts = itemsOf(await stage.get(`/accounts/${id}/alerts`));
    expect(alerts.map(({ threshold }) => threshold)).toEqual([50, 40]);
    const events = itemsOf(await stage.get(`/accounts/${id}/events`));
    const set = events.filter(({ type }) => type === 'BudgetSet');
    expect(set.at(-1)).toMatchObject({ data: { by: 'owner', reason: 'Too many mails.' } });
  });

  it('by what it is makes no event', async () => {
    const id = await account();
    const made = await make(id, { notify: NOTIFY });
    const before = await typesOf(id);
    const body = { ...BUDGET, notify: NOTIFY };
    const replaced = await ask('PUT', id, idOf(made), { body });
    expect([replaced.status, replaced.json]).toEqual([200, made.json]);
    expect(await typesOf(id)).toEqual(before);
  });

  it('that the account does not have is not found', async () => {
    const [id, other] = [await account(), await account()];
    const budgetId = idOf(await make(other));
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await ask(method, id, budgetId)).json).toMatchObject({ code: 'not-found' });
    }
    const put = await ask('PUT', id, budgetId, { body: BUDGET });
    expect(put.json).toMatchObject({ code: 'not-found' });
    expect((await make(randomUUID())).json).toMatchObject({ code: 'not-found' });
  });
});

describe('removing a budget', () => {
  it('lets calls pass that it blocked', async () => {
    const id = await account();
    const budgetId = idOf(await make(id, { limit_credits: 9 }));
    await expect(stage.call(id)).rejects.toThrow('budget-exhausted');
    const removed = await ask('DELETE', id, budgetId, { body: { reason: 'Enough.' } });
    expect([removed.status, removed.text]).toEqual([204, '']);
    await stage.call(id);
    expect((await ask('GET', id, budgetId)).status).toBe(404);
    expect((await ask('DELETE', id, budgetId)).status).toBe(404);
  });
});

describe('a change of a budget', () => {
  it('is answered again as it was first, whatever became of the budget since', async () => {
    const id = await account();
    await stage.call(id);
    const keys = [randomUUID(), randomUUID(), randomUUID()];
    const made = await make(id, { notify: NOTIFY }, keys[0]);
    const put = { body: { ...BUDGET, limit_credits: 70_000 }, key: keys[1] };
    const replaced = await ask('PUT', id, idOf(made), put);
    const removed = await ask('DELETE', id, idOf(made), { key: keys[2] });
    const before = await typesOf(id);
    await stage.post(`/accounts/${id}/test-clock`, { now: '2026-12-25T00:00:00Z' });
    const again = [
      await make(id, { notify: NOTIFY }, keys[0]),
      await ask('PUT', id, idOf(made), put),
      await ask('DELETE', id, idOf(made), { key: keys[2] }),
    ];
    expect(again.map(({ status }) => status)).toEqual([201, 200, 204]);
    expect(again.map(({ headers }) => headers['idempotent-replayed'])).toEqual(
      Array.from({ length: 3 }, () => 'true'),
    );
    expect(again.map(({ json }) => json)).toEqual([made.json, replaced.json, removed.json]);
    expect((await typesOf(id)).filter((type) => String(type).startsWith('Budget'))).toEqual(
      before.filter((type) => String(type).startsWith('Budget')),
    );
  });

  it('under If-Match is made on what was read, whatever was called since, and on nothing else', async () => {
    const id = await account();
    const made = await make(id);
    const budgetId = idOf(made);
    const tag = String((await ask('GET', id, budgetId)).headers['etag']);
    expect(made.headers['etag']).toBe(tag);
    await stage.call(id);
    const put = (limit: number) => ({
      body: { ...BUDGET, limit_credits: limit },
      headers: { 'if-match': tag },
    });
    expect((await ask('PUT', id, budgetId, put(5))).status).toBe(200);
    const refused = [
      await ask('PUT', id, budgetId, put(6)),
      await ask('DELETE', id, budgetId, { headers: { 'if-match': tag } }),
    ];
    const now = String((await ask('GET', id, budgetId)).headers['etag']);
    for (const { json } of refused) {
      expect(json).toMatchObject({ code: 'precondition-failed' });
      expect(json['detail']).toBe(
        `The resource has changed: its ETag is ${now} by now. Read it again, then change that.`,
      );
    }
    expect((await ask('GET', id, budgetId)).json).toMatchObject({ limit_credits: 5 });
  });

  it('of a closed account is refused', async () => {
    const id = await account();
    await stage.post(`/accounts/${id}/close`);
    expect((await make(id, { notify: NOTIFY })).json).toMatchObject({ code: 'conflict' });
  });
});

function related(region: 'fr') {
  return { resource: 'trends', level: 'cat2', limit: 'all', region, category: 'nails' } as const;
}
