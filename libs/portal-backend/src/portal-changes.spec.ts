import { HOUR } from '#account/scenario.suite.js';
import { idOf, itemsOf } from '../../../test/setup/admin-stage.js';
import { portalStage } from '../../../test/setup/stages.js';

const HOOK = { url: 'http://127.0.0.1:1/hook' };
const BUDGET = { period: 'month', limit_credits: 60_000, thresholds: [50], action: 'block' };

const stage = portalStage();
let account: string;
let cookie: string;

beforeEach(async () => {
  account = await stage.admin.prepaid();
  cookie = await stage.signIn(account);
});

async function keys(): Promise<Record<string, unknown>[]> {
  return itemsOf(await stage.get('/api-keys', cookie));
}

describe('an API key that is rotated', () => {
  it('works beside the new one for the hours that were asked for, and ends then', async () => {
    const [old] = await keys();
    const address = `/api-keys/${String(old?.['id'])}/rotate`;
    const { status, json } = await stage.post(address, cookie, { overlap_hours: 24 });
    expect([status, json['key']]).toEqual([201, expect.stringMatching(/^pix_live_/)]);
    expect(json).toMatchObject({ label: 'Production', scopes: ['data', 'account:read'] });
    await stage.admin.call(account);
    expect(await keys()).toMatchObject([
      { id: old?.['id'], status: 'active', expires_at: '2026-11-25T09:00:00Z' },
      { id: json['id'], status: 'active', expires_at: null },
    ]);
    stage.admin.now += 24 * HOUR;
    cookie = await stage.signIn(account);
    expect(await keys()).toMatchObject([{ status: 'expired' }, { status: 'active' }]);
    await expect(stage.admin.call(account)).rejects.toThrow('key-invalid');
    stage.admin.now -= 24 * HOUR;
  });

  it('ends at once without an overlap', async () => {
    const [old] = await keys();
    const address = `/api-keys/${String(old?.['id'])}/rotate`;
    expect((await stage.post(address, cookie, { overlap_hours: 0 })).status).toBe(201);
    expect(await keys()).toMatchObject([{ status: 'revoked' }, { status: 'active' }]);
    const again = await stage.post(address, cookie, { overlap_hours: 0 });
    expect([again.status, again.json['code']]).toEqual([409, 'conflict']);
  });

  it('is rotated once under an idempotency key, whose secret is shown once', async () => {
    const [old] = await keys();
    const address = `/api-keys/${String(old?.['id'])}/rotate`;
    const first = await stage.post(address, cookie, { overlap_hours: 1 }, 'rotate-1');
    const second = await stage.post(address, cookie, { overlap_hours: 1 }, 'rotate-1');
    const { key: _key, ...shown } = first.json;
    expect([second.status, second.json]).toEqual([201, shown]);
    expect(await keys()).toHaveLength(2);
    const other = await stage.post(address, cookie, { overlap_hours: 2 }, 'rotate-1');
    expect(other.status).toBe(422);
  });

  it('does not last longer than it would have', async () => {
    const soon = { label: 'Soon over', expires_at: '2026-11-24T10:00:00Z' };
    const id = idOf(await stage.post('/api-keys', cookie, soon));
    await stage.post(`/api-keys/${id}/rotate`, cookie, { overlap_hours: 168 });
    const [key] = (await keys()).filter((one) => one['id'] === id);
    expect(key?.['expires_at']).toBe('2026-11-24T10:00:00Z');
  });

  it.each([-1, 169, 1.5, '24', null])('takes no overlap of %j hours', async (hours) => {
    const [old] = await keys();
    const address = `/api-keys/${String(old?.['id'])}/rotate`;
    const { status, json } = await stage.post(address, cookie, { overlap_hours: hours });
    expect([status, json['errors']]).toMatchObject([400, [{ pointer: '/overlap_hours' }]]);
  });
});

describe('a change by a customer', () => {
  it('is recorded in the log as that of the session', async () => {
    const { json } = await stage.get('/session', cookie);
    const id = idOf(await stage.post('/budgets', cookie, { ...BUDGET, reason: 'Our own.' }));
    const events = itemsOf(await stage.admin.get(`/audit?account_id=${account}&limit=1000`));
    const made = events.find(({ type }) => type === 'BudgetSet');
    expect(made).toMatchObject({
      by: json['id'],
      by_name: 'a manager in the portal',
      reason: 'Our own.',
      data: { budget_id: id },
    });
  });

  it('happens on the version that it was meant for, or not at all', async () => {
    const { headers } = await stage.get('/account', cookie);
    const precondition = { headers: { 'if-match': String(headers['etag']) } };
    const asked = { cookie, body: BUDGET, ...precondition };
    expect((await stage.ask('POST', '/portal/v1/budgets', asked)).status).toBe(201);
    expect((await stage.ask('POST', '/portal/v1/budgets', asked)).status).toBe(412);
  });

  it('can be replaced and removed', async () => {
    const id = idOf(await stage.post('/budgets', cookie, BUDGET));
    const asked = { cookie, body: { ...BUDGET, limit_credits: 7 } };
    const changed = await stage.ask('PUT', `/portal/v1/budgets/${id}`, asked);
    expect(changed.json).toMatchObject({ id, limit_credits: 7 });
    expect((await stage.ask('DELETE', `/portal/v1/budgets/${id}`, { cookie })).status).toBe(204);
    expect(itemsOf(await stage.get('/budgets', cookie))).toEqual([]);
  });
});

describe('a webhook of a customer', () => {
  it('belongs to the account, whatever the body says', async () => {
    const { json } = await stage.post('/webhooks', cookie, HOOK);
    expect(json).toMatchObject({ account_id: account, secret: expect.stringMatching(/^whsec_/) });
    const other = await stage.admin.account();
    const refused = await stage.post('/webhooks', cookie, { ...HOOK, account_id: other });
    expect(refused.json['errors']).toMatchObject([{ pointer: '/account_id' }]);
    const released = await stage.post('/webhooks', cookie, { ...HOOK, events: ['release.ready'] });
    expect(released.json['errors']).toMatchObject([{ pointer: '/events/0' }]);
  });

  it('has an idempotency key that two accounts may both use', async () => {
    const stranger = await stage.signIn(await stage.admin.account());
    const own = await stage.post('/webhooks', cookie, HOOK, 'the-same');
    const theirs = await stage.post('/webhooks', stranger, HOOK, 'the-same');
    expect([own.status, theirs.status]).toEqual([201, 201]);
    expect(own.json['id']).not.toBe(theirs.json['id']);
    const again = await stage.post('/webhooks', cookie, HOOK, 'the-same');
    expect([again.json['id'], again.headers['idempotent-replayed']]).toEqual([
      own.json['id'],
      'true',
    ]);
  });

  it('is not one of an operator, who sees all of them', async () => {
    await stage.admin.post('/webhooks', HOOK);
    const { json } = await stage.post('/webhooks', cookie, HOOK);
    const shown = itemsOf(await stage.get('/webhooks', cookie));
    expect(shown.map(({ id }) => id)).toEqual([json['id']]);
    const all = itemsOf(await stage.admin.get('/webhooks?limit=1000'));
    expect(all.map(({ id }) => id)).toContain(json['id']);
  });

  it('is one of at most 20, of which a retry still finds the last', async () => {
    for (let count = 1; count < 20; count += 1) idOf(await stage.post('/webhooks', cookie, HOOK));
    idOf(await stage.post('/webhooks', cookie, HOOK, 'last'));
    expect((await stage.post('/webhooks', cookie, HOOK)).status).toBe(409);
    expect((await stage.post('/webhooks', cookie, HOOK, 'last')).status).toBe(201);
  });

  it('can be tried, rotated, and removed twice; what was sent can be sent again', async () => {
    const id = idOf(await stage.post('/webhooks', cookie, HOOK));
    const tried = await stage.post(`/webhooks/${id}/test`, cookie);
    expect(tried.json).toMatchObject({ webhook_id: id, type: 'webhook.test', status: 'failed' });
    const deliveries = itemsOf(await stage.get(`/webhooks/${id}/deliveries`, cookie));
    expect(deliveries).toHaveLength(1);
    const resend = `/webhooks/deliveries/${String(tried.json['id'])}/resend`;
    expect((await stage.post(resend, cookie)).status).toBe(200);
    expect((await stage.post(`/webhooks/${id}/rotate`, cookie)).status).toBe(200);
    for (const _ of ['once', 'twice']) {
      const gone = await stage.ask('DELETE', `/portal/v1/webhooks/${id}`, { cookie });
      expect(gone.status).toBe(204);
    }
    expect((await stage.get(`/webhooks/${id}`, cookie)).status).toBe(404);
  });
});
