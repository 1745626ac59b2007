import { randomUUID } from 'node:crypto';
import { itemsOf, type Answered } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import type { Asked } from '../../../../test/setup/asked.js';

const stage = adminStage();

const PLAN = {
  monthly_fee: 4_900,
  included_credits: 1_000,
  price_per_1000_credits: 1_250,
  tax: { category: 'S', rate_percent: 19 },
};
const CLOCK = '2026-11-24T09:00:00Z';

function patch(id: string, body: unknown, asked: Asked = {}): Promise<Answered> {
  return stage.ask('PATCH', `/admin/v1/accounts/${id}`, { body, ...asked });
}

async function eventsOf(id: string): Promise<Record<string, unknown>[]> {
  return itemsOf(await stage.get(`/accounts/${id}/events`));
}

async function typesOf(id: string): Promise<unknown[]> {
  return (await eventsOf(id)).map(({ type }) => type);
}

describe('changing an account', () => {
  it.each([
    { name: 'Brows & Co' },
    { overdraft_credits: 500 },
    { overdraft_credits: null },
    { rate_limit: { per_second: 5, burst: 9 } },
    { low_balance_credits: 7 },
    { rate_card: 1 },
  ])('to %j changes that, and nothing else', async (members) => {
    const id = await stage.account();
    const before = await stage.get(`/accounts/${id}`);
    // Members that follow from a limit move with it, and a low balance is reported by its own
    // event.
    const { available_credits: _a, forecast: _f, version: _v, ...rest } = before.json;
    const changed = await patch(id, members);
    expect(changed.status).toBe(200);
    expect(changed.json).toMatchObject({ ...rest, ...members });
    expect((await stage.get(`/accounts/${id}`)).json).toEqual(changed.json);
  });

  it('takes back what is null, and records who did it, when and why', async () => {
    const id = await stage.account({ low_balance_credits: 9, rate_card: 1 });
    const reason = 'Agreed by phone.';
    const changed = await patch(id, { low_balance_credits: null, rate_card: null, reason });
    expect(changed.json).toMatchObject({ low_balance_credits: null, rate_card: null });
    const [event] = (await eventsOf(id)).slice(-1);
    expect(event).toMatchObject({
      type: 'AccountChanged',
      at: '2026-11-24T09:00:00.000Z',
      data: { by: 'owner', reason, low_balance: null, rate_card: null },
    });
  });

  it('to what it is makes no event', async () => {
    const id = await stage.account({ name: 'Nails', low_balance_credits: 9 });
    const same = await patch(id, { name: 'Nails', low_balance_credits: 9, plan: null });
    expect([same.status, same.json['version']]).toEqual([200, 1]);
    expect(await typesOf(id)).toEqual(['AccountOpened']);
  });

  it('writes no name into the log', async () => {
    const id = await stage.account();
    await patch(id, { name: 'Very Personal Name' });
    expect((await stage.get(`/accounts/${id}/events`)).text).not.toContain('Very Personal');
  });

  it.each<[unknown, string]>([
    [{}, ''],
    [{ reason: 'Because.' }, ''],
    [{ name: null }, '/name'],
    [{ name: 'A', currency: 'EUR' }, '/currency'],
    [{ name: 'A', test_clock: CLOCK }, '/test_clock'],
    [{ rate_card: 99 }, '/rate_card'],
    [{ plan: { ...PLAN, monthly_fee: 0.5 } }, '/plan/monthly_fee'],
  ])('by %j is refused', async (body, pointer) => {
    const id = await stage.account();
    const { json } = await patch(id, body);
    expect(json).toMatchObject({ code: 'invalid-body', errors: [{ pointer }] });
    expect(await typesOf(id)).toEqual(['AccountOpened']);
  });

  it('happens once under an idempotency key', async () => {
    const id = await stage.account();
    const key = randomUUID();
    const asked = () => patch(id, { overdraft_credits: 5 }, { key });
    const answers = await Promise.all([asked(), asked(), asked()]);
    expect(answers.map(({ json }) => json['overdraft_credits'])).toEqual([5, 5, 5]);
    expect(await typesOf(id)).toEqual(['AccountOpened', 'AccountChanged']);
    const other = await patch(id, { overdraft_credits: 6 }, { key });
    expect(other.json).toMatchObject({ code: 'idempotency-conflict' });
  });
});

describe('a plan', () => {
  it('of the opening gives its credits at once, and removes the limit by default', async () => {
    const opened = await stage.post('/accounts', { name: 'A', plan: PLAN, test_clock: CLOCK });
    expect(opened.json).toMatchObject({
      plan: PLAN,
      plan_next_month: PLAN,
      overdraft_credits: null,
      balance: 1_000,
      grants: [{ kind: 'included', left: 1_000, priority: 50 }],
    });
    const id = String(opened.json['id']);
    expect((await stage.get(`/accounts/${id}`)).json).toEqual(opened.json);
    const limited = await stage.post('/accounts', { name: 'B', plan: PLAN, overdraft_credits: 0 });
    expect(limited.json).toMatchObject({ overdraft_credits: 0 });
  });

  it('that is changed is in force from the next month on', async () => {
    const id = await stage.account({ test_clock: CLOCK });
    const changed = await patch(id, { plan: PLAN });
    expect(changed.json).toMatchObject({ plan: null, plan_next_month: PLAN, balance: 0 });
    const now = '2026-12-01T00:00:00Z';
    const moved = await stage.post(`/accounts/${id}/test-clock`, { now });
    expect(moved.json).toMatchObject({ plan: PLAN, plan_next_month: PLAN, balance: 1_000 });
    const ended = await patch(id, { plan: null });
    expect(ended.json).toMatchObject({ plan: PLAN, plan_next_month: null });
  });
});

describe('a change under If-Match', () => {
  const tagOf = ({ headers }: Answered): string => String(headers['etag']);
  const ifMatch = (tag: string) => ({ headers: { 'if-match': tag } });

  it('is made on the version that was read, and answers the next one', async () => {
    const id = await stage.account();
    const read = tagOf(await stage.get(`/accounts/${id}`));
    expect(read).toBe('"1"');
    const changed = await patch(id, { overdraft_credits: 5 }, ifMatch(read));
    expect([changed.status, tagOf(changed)]).toEqual([200, '"2"']);
    expect(tagOf(await stage.get(`/accounts/${id}`))).toBe('"2"');
  });

  it('is made on the version that an account was opened with', async () => {
    const opened = await stage.post('/accounts', { name: 'Acme' });
    expect([opened.status, tagOf(opened)]).toEqual([201, '"1"']);
    const changed = await patch(String(opened.json['id']), { name: 'B' }, ifMatch(tagOf(opened)));
    expect(changed.status).toBe(200);
  });

  it('is refused on any other, and then nothing is changed', async () => {
    const id = await stage.account();
    await patch(id, { overdraft_credits: 5 });
    const refused = await patch(id, { overdraft_credits: 6 }, ifMatch('"1"'));
    expect([refused.status, refused.json['code']]).toEqual([412, 'precondition-failed']);
    expect((await stage.get(`/accounts/${id}`)).json['overdraft_credits']).toBe(5);
    const any = await patch(id, { overdraft_credits: 6 }, ifMatch('*'));
    expect(any.json['overdraft_credits']).toBe(6);
  });

  it('is made by one of many who read the same version', async () => {
    const id = await stage.account();
    const tag = tagOf(await stage.get(`/accounts/${id}`));
    const many = Array.from({ length: 20 }, (_, index) =>
      patch(id, { overdraft_credits: index + 1 }, ifMatch(tag)),
    );
    const statuses = (await Promise.all(many)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412)).toHaveLength(19);
  });

  it('is answered again under its idempotency key, also once the version has moved', async () => {
    const id = await stage.account();
    const asked = { key: randomUUID(), ...ifMatch('"1"') };
    await patch(id, { overdraft_credits: 5 }, asked);
    const retry = await patch(id, { overdraft_credits: 5 }, asked);
    expect([retry.status, retry.headers['idempotent-replayed']]).toEqual([200, 'true']);
  });

  it('that is none is named', async () => {
    const id = await stage.account();
    const { json } = await patch(id, { overdraft_credits: 5 }, ifMatch('1'));
    expect(json).toMatchObject({ code: 'invalid-parameter', parameters: [{ name: 'If-Match' }] });
  });
});
