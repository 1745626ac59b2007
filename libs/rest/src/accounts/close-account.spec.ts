import { randomUUID } from 'node:crypto';
import { BUYER, completeParties, PLAN } from '../../../../test/setup/invoicing-stage.js';
import { waitFor } from '../../../../test/setup/wait-for.js';
import { idOf, itemsOf } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';

const stage = adminStage();

async function texts(id: string): Promise<string[]> {
  const { rows } = await stage.pool.query<{ body: string }>(
    'select body::text as body from profile where account_id = $1',
    [id],
  );
  return rows.map(({ body }) => body);
}

async function last(id: string): Promise<Record<string, unknown> | undefined> {
  return itemsOf(await stage.get(`/accounts/${id}/events?limit=1000`)).at(-1);
}

const CLOSED = 'The account is closed and takes no more changes: open another one.';

describe('closing an account', () => {
  it('ends its API keys and all changes, and keeps what it was', async () => {
    const id = await stage.prepaid();
    const closed = await stage.post(`/accounts/${id}/close`, { reason: 'Gone.' });
    expect(closed.json).toMatchObject({ status: 'closed', balance: 100_000 });
    await expect(stage.call(id)).rejects.toThrow('key-invalid');
    const keys = itemsOf(await stage.get(`/accounts/${id}/api-keys`));
    expect(keys).toMatchObject([{ status: 'revoked' }]);
    const grant = { credits: 5, kind: 'promotional', note: 'Come back.' };
    const refusals = [
      await stage.post(`/accounts/${id}/grants`, grant),
      await stage.post(`/accounts/${id}/api-keys`, { label: 'Again' }),
      await stage.post(`/accounts/${id}/resume`),
      await stage.ask('PATCH', `/admin/v1/accounts/${id}`, { body: { name: 'Back' } }),
    ];
    for (const { json } of refusals) {
      expect(json).toMatchObject({ code: 'conflict', detail: CLOSED });
    }
    expect(await last(id)).toMatchObject({ type: 'AccountClosed', data: { reason: 'Gone.' } });
  });

  it('ends its links, sessions and webhooks, and lets none be made', async () => {
    const id = await stage.account();
    const hook = { url: 'http://127.0.0.1:9/hooks', account_id: id };
    const link = await stage.post(`/accounts/${id}/portal-sessions`);
    const webhook = idOf(await stage.post('/webhooks', hook));
    const other = idOf(await stage.post('/webhooks', { ...hook, account_id: null }));
    await stage.post(`/accounts/${id}/close`, { reason: 'Gone.' });
    expect(itemsOf(await stage.get(`/accounts/${id}/portal-sessions`))).toMatchObject([
      { id: link.json['id'], status: 'revoked' },
    ]);
    const left = itemsOf(await stage.get('/webhooks')).map((one) => one['id']);
    expect([left.includes(webhook), left.includes(other)]).toEqual([false, true]);
    const month = { period: 'month', limit_credits: 9, thresholds: [], action: 'alert' };
    const refusals = [
      await stage.post(`/accounts/${id}/portal-sessions`),
      await stage.post('/webhooks', hook),
      await stage.post(`/accounts/${id}/budgets`, month),
    ];
    for (const { status, json } of refusals) {
      expect([status, json['detail']]).toEqual([409, CLOSED]);
    }
  });

  it('asked again ends what a fall has left open', async () => {
    const id = await stage.account();
    await stage.post(`/accounts/${id}/portal-sessions`);
    await stage.post(`/accounts/${id}/close`);
    await stage.pool.query('update portal_session set revoked_at = null where account_id = $1', [
      id,
    ]);
    await stage.post(`/accounts/${id}/close`);
    expect(itemsOf(await stage.get(`/accounts/${id}/portal-sessions`))).toMatchObject([
      { status: 'revoked' },
    ]);
  });

  it('again changes nothing', async () => {
    const id = await stage.account();
    const first = await stage.post(`/accounts/${id}/close`);
    expect((await stage.post(`/accounts/${id}/close`)).json).toEqual(first.json);
  });

  it('is seen in the list of closed accounts, and in no other', async () => {
    const id = await stage.account();
    await stage.post(`/accounts/${id}/suspend`);
    await stage.post(`/accounts/${id}/close`);
    const lists = ['active', 'suspended', 'closed'].map(async (status) => {
      const found = itemsOf(await stage.get(`/accounts?limit=1000&status=${status}`));
      return found.some((account) => account['id'] === id);
    });
    expect(await Promise.all(lists)).toEqual([false, false, true]);
  });

  it('lets what is left of its grants be voided, and calls be given back', async () => {
    const id = await stage.prepaid();
    const call = await stage.call(id);
    await stage.post(`/accounts/${id}/close`);
    const adjustment = { credits: 50_000, reason: 'Wrong data.', call_id: call.id };
    expect((await stage.post(`/accounts/${id}/adjustments`, adjustment)).status).toBe(201);
    for (const { id: grantId } of itemsOf(await stage.get(`/accounts/${id}/grants`))) {
      await stage.ask('DELETE', `/admin/v1/accounts/${id}/grants/${String(grantId)}`);
    }
    expect((await stage.get(`/accounts/${id}`)).json).toMatchObject({ balance: 0, grants: [] });
  });
});

describe('erasing an account', () => {
  const PERSONAL = 'Nadja Personal';

  async function personal(): Promise<string> {
    const id = await stage.account({ name: PERSONAL });
    await stage.post(`/accounts/${id}/api-keys`, { label: 'Production' });
    await stage.post(`/accounts/${id}/grants`, { credits: 100_000, kind: 'promotional' });
    await stage.ask('PATCH', `/admin/v1/accounts/${id}`, { body: { name: `${PERSONAL} 2` } });
    await stage.post(`/accounts/${id}/budgets`, {
      period: 'month',
      limit_credits: 9,
      thresholds: [],
      action: 'alert',
      notify: { emails: ['nadja@example.org'] },
    });
    return id;
  }

  it('blanks all names and texts, and the log says which', async () => {
    const id = await personal();
    await stage.post(`/accounts/${id}/close`);
    const rows = (await texts(id)).length;
    const erased = await stage.post(`/accounts/${id}/erase`, { reason: 'Asked for.' });
    expect(erased.json).toMatchObject({ name: null, status: 'closed', balance: 100_000 });
    expect(rows).toBe(4);
    expect(await texts(id)).toEqual(['{}', '{}', '{}', '{}']);
    const uuid: unknown = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(await last(id)).toMatchObject({
      type: 'ProfileErased',
      // Why it was asked for is a text like all others.
      data: { reason: '', profiles: [uuid, uuid, uuid, uuid] },
    });
    const budgets = itemsOf(await stage.get(`/accounts/${id}/budgets`));
    expect(budgets).toMatchObject([{ notify: null }]);
  });

  it('leaves a log that is found to be right', async () => {
    const id = await personal();
    await stage.post(`/accounts/${id}/close`);
    await stage.post(`/accounts/${id}/erase`);
    await stage.post('/verify');
    const ended = () => stage.logTools.verifications.state()?.state !== 'running';
    await waitFor('the verification', ended, 60_000);
    expect((await stage.get('/verify')).json).toMatchObject({ status: 'done', intact: true });
  }, 90_000);

  it('of an open account is refused', async () => {
    const id = await stage.account();
    const { json } = await stage.post(`/accounts/${id}/erase`);
    expect(json).toMatchObject({
      code: 'conflict',
      detail: 'Only a closed account can be erased: close it first.',
    });
    expect(await texts(id)).toEqual([expect.stringContaining('{"name":"Nails & Co"')]);
  });

  it('is refused while a month is not invoiced, and names it', async () => {
    const id = await stage.account({ test_clock: '2026-11-24T00:00:00Z', plan: PLAN });
    await stage.post(`/accounts/${id}/close`);
    const erase = () => stage.post(`/accounts/${id}/erase`);
    const running = await erase();
    expect([running.status, running.json['code']]).toEqual([409, 'conflict']);
    expect(running.json['detail']).toMatch(/^There is something to invoice in 2026-11\./);
    // A test account is invoiced as its clock moves past the end of the month.
    await stage.post(`/accounts/${id}/test-clock`, { now: '2026-12-02T00:00:00Z' });
    const held = await erase();
    expect([held.status, held.json['detail']]).toEqual([409, running.json['detail']]);
    await completeParties(stage, id);
    await stage.post(`/accounts/${id}/test-clock`, { now: '2026-12-03T00:00:00Z' });
    expect((await erase()).status).toBe(200);
    const path = `/admin/v1/accounts/${id}/billing`;
    expect((await stage.ask('PUT', path, { body: BUYER })).status).toBe(409);
  });

  it('finishes what a fall between the event and the rows has left', async () => {
    const id = await personal();
    await stage.post(`/accounts/${id}/close`);
    const key = randomUUID();
    const first = await stage.post(`/accounts/${id}/erase`, {}, key);
    await stage.pool.query(`update profile set body = '{"name":"x"}' where account_id = $1`, [id]);
    const retry = await stage.post(`/accounts/${id}/erase`, {}, key);
    expect(retry.json).toEqual(first.json);
    expect(new Set(await texts(id))).toEqual(new Set(['{}']));
    await stage.pool.query(`update profile set body = '{"name":"x"}' where account_id = $1`, [id]);
    await stage.post(`/accounts/${id}/erase`);
    expect(new Set(await texts(id))).toEqual(new Set(['{}']));
  });

  it('is for ever: nothing that is refused afterwards leaves a text', async () => {
    const id = await stage.account();
    await stage.post(`/accounts/${id}/close`);
    await stage.post(`/accounts/${id}/erase`);
    await stage.post(`/accounts/${id}/api-keys`, { label: PERSONAL });
    await stage.post(`/accounts/${id}/grants`, { credits: 1, kind: 'promotional', note: PERSONAL });
    await stage.ask('PATCH', `/admin/v1/accounts/${id}`, { body: { name: PERSONAL } });
    expect(await texts(id)).toEqual(['{}']);
  });
});
