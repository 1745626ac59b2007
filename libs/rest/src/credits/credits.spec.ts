import { createHash } from 'node:crypto';
import { isApiKey } from '#account/api-key.js';
import { DAY, HOUR, TUESDAY } from '#account/scenario.suite.js';
import { PostgresKeyDirectory } from '#projections/loading/postgres-key-directory.js';
import { itemsOf } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';

const stage = adminStage();

describe('an API key', () => {
  it('is shown once, and only its hash is kept', async () => {
    const id = await stage.account();
    const issued = await stage.post(`/accounts/${id}/api-keys`, { label: 'Production' });
    const key = String(issued.json['key']);
    expect(issued.status).toBe(201);
    expect(isApiKey(key)).toBe(true);
    expect(key.startsWith('pix_live_')).toBe(true);
    expect(issued.json).toMatchObject({
      label: 'Production',
      prefix: 'pix_live_',
      last_four: key.slice(-4),
      scopes: ['data', 'account:read'],
      expires_at: null,
    });
    const hash = createHash('sha256').update(key).digest('hex');
    const found = await new PostgresKeyDirectory(stage.pool).find(hash);
    expect(found?.keys.get(hash)).toMatchObject({ accountId: id, keyId: issued.json['id'] });
    const { rows } = await stage.pool.query<{ text: string }>(
      `select coalesce(string_agg(data::text, ''), '') as text from event
       union all select coalesce(string_agg(body::text, ''), '') from profile`,
    );
    expect(rows.map(({ text }) => text).join('')).not.toContain(key.slice(9));
  });

  it('of an account with a test clock has another prefix', async () => {
    const id = await stage.account({ test_clock: '2026-01-01T00:00:00Z' });
    const { json } = await stage.post(`/accounts/${id}/api-keys`, { label: 'Trial' });
    expect(json).toMatchObject({ prefix: 'pix_test_' });
    expect(isApiKey(String(json['key']))).toBe(true);
  });

  it('is listed with its state and its last use, and revoked at once and only once', async () => {
    const id = await stage.prepaid();
    await stage.post(`/accounts/${id}/api-keys`, {
      label: 'Reports',
      scopes: ['account:read'],
      expires_at: '2026-11-24T10:00:00Z',
    });
    await stage.call(id);
    const [first, second] = itemsOf(await stage.get(`/accounts/${id}/api-keys`));
    const used = { status: 'active', revoked_at: null, last_used_at: '2026-11-24T09:00:00.000Z' };
    expect(first).toMatchObject({ label: 'Production', ...used });
    expect(second).toMatchObject({ scopes: ['account:read'], last_used_at: null });
    expect(first).not.toHaveProperty('key');

    const path = `/admin/v1/accounts/${id}/api-keys/${String(first?.['id'])}`;
    const revoked = await stage.ask('DELETE', path, { body: { reason: 'Leaked.' } });
    expect([revoked.status, revoked.text]).toEqual([204, '']);
    expect((await stage.ask('DELETE', path)).status).toBe(204);
    await expect(stage.call(id)).rejects.toThrow('key-invalid');
    const events = itemsOf(await stage.get(`/accounts/${id}/events`));
    const revocations = events.filter(({ type }) => type === 'ApiKeyRevoked');
    expect(revocations).toMatchObject([{ data: { by: 'owner', reason: 'Leaked.' } }]);
    stage.now += HOUR;
    const states = itemsOf(await stage.get(`/accounts/${id}/api-keys`));
    stage.now = TUESDAY;
    expect(states.map(({ status }) => status)).toEqual(['revoked', 'expired']);
  });

  it('of another account is not found', async () => {
    const [id, other] = [await stage.prepaid(), await stage.prepaid()];
    const [key] = itemsOf(await stage.get(`/accounts/${other}/api-keys`));
    const path = `/admin/v1/accounts/${id}/api-keys/${String(key?.['id'])}`;
    expect((await stage.ask('DELETE', path)).json).toMatchObject({ code: 'not-found' });
  });

  it('is listed page by page', async () => {
    const id = await stage.account();
    for (const label of ['a', 'b', 'c']) await stage.post(`/accounts/${id}/api-keys`, { label });
    const first = await stage.get(`/accounts/${id}/api-keys?limit=2`);
    expect(itemsOf(first).map(({ label }) => label)).toEqual(['a', 'b']);
    const rest = await stage.get(
      `/accounts/${id}/api-keys?limit=2&after=${String(first.json['next'])}`,
    );
    expect(itemsOf(rest).map(({ label }) => label)).toEqual(['c']);
    expect(rest.json['next']).toBeNull();
  });
});

describe('credits', () => {
  it('are given, drawn in order and listed also when they are spent or expired', async () => {
    const id = await stage.prepaid({ test_clock: '2026-11-24T09:00:00Z' }, 30);
    const soon = { credits: 40_000, kind: 'promotional', priority: 1, note: 'Welcome.' };
    const given = await stage.post(`/accounts/${id}/grants`, {
      ...soon,
      expires_at: '2026-11-25T00:00:00Z',
    });
    expect(given.json).toMatchObject({ ...soon, price: null, left: 40_000, status: 'active' });
    await stage.post(`/accounts/${id}/grants`, {
      credits: 20_000,
      kind: 'purchased',
      price: 25_000,
    });
    await stage.call(id);
    await stage.post(`/accounts/${id}/grants`, {
      credits: 5,
      kind: 'promotional',
      expires_at: '2026-11-25T00:00:00Z',
    });
    await stage.post(`/accounts/${id}/test-clock`, { now: '2026-11-26T00:00:00Z' });
    const grants = itemsOf(await stage.get(`/accounts/${id}/grants`));
    expect(grants).toMatchObject([
      { credits: 30, left: 0, status: 'spent', price: null, note: null },
      { credits: 40_000, left: 0, status: 'spent', note: 'Welcome.' },
      { credits: 20_000, left: 10_030, status: 'active' },
      { credits: 5, left: 0, status: 'expired' },
    ]);
    const pages = [await stage.get(`/accounts/${id}/grants?limit=3`)];
    pages.push(await stage.get(`/accounts/${id}/grants?after=${String(pages[0]?.json['next'])}`));
    expect(pages.flatMap(itemsOf)).toEqual(grants);
    expect((await stage.get(`/accounts/${id}`)).json).toMatchObject({ balance: 10_030 });
  });

  it('show as expired the moment they are, before an event says so', async () => {
    const id = await stage.account();
    const grant = { credits: 5, kind: 'promotional', expires_at: '2026-11-25T00:00:00Z' };
    await stage.post(`/accounts/${id}/grants`, grant);
    stage.now += DAY;
    const grants = itemsOf(await stage.get(`/accounts/${id}/grants`));
    const events = itemsOf(await stage.get(`/accounts/${id}/events`));
    stage.now = TUESDAY;
    expect(grants).toMatchObject([{ left: 0, status: 'expired' }]);
    expect(events.map(({ type }) => type)).toEqual(['AccountOpened', 'CreditsGranted']);
  });

  it('repay a debt first', async () => {
    const id = await stage.prepaid({ overdraft_credits: 50_000 }, 10);
    await stage.call(id);
    const { json } = await stage.post(`/accounts/${id}/grants`, {
      credits: 50_000,
      kind: 'promotional',
    });
    expect(json).toMatchObject({ credits: 50_000, left: 10 });
  });

  it('are sold for a price that is stated, also where it is 0', async () => {
    const id = await stage.account();
    const sold = { credits: 100_000, kind: 'purchased' };
    const refused = await stage.post(`/accounts/${id}/grants`, sold);
    expect(refused.json).toMatchObject({
      code: 'invalid-body',
      errors: [
        {
          pointer: '/price',
          detail:
            'Purchased credits need a price: 0 where they cost nothing. Free credits are promotional.',
        },
      ],
    });
    const given = await stage.post(`/accounts/${id}/grants`, { ...sold, price: 0 });
    expect(given.json).toMatchObject({ kind: 'purchased', price: 0, left: 100_000 });
  });

  it('are never given with an expiry in the past, nor beyond what a number can hold', async () => {
    const id = await stage.account();
    const late = { credits: 1, kind: 'promotional', expires_at: '2026-11-24T09:00:00Z' };
    expect((await stage.post(`/accounts/${id}/grants`, late)).json).toMatchObject({
      code: 'conflict',
      detail: 'expires_at must lie in the future of the account: after 2026-11-24T09:00:00Z.',
    });
    const most = { credits: Number.MAX_SAFE_INTEGER, kind: 'promotional' };
    expect((await stage.post(`/accounts/${id}/grants`, most)).status).toBe(201);
    const more = await stage.post(`/accounts/${id}/grants`, { credits: 1, kind: 'promotional' });
    expect([more.status, more.json['code']]).toEqual([409, 'conflict']);
  });
});

describe('an adjustment', () => {
  it('gives and takes by hand, for a reason that the log keeps', async () => {
    const id = await stage.prepaid();
    const path = `/accounts/${id}/adjustments`;
    const given = await stage.post(path, { credits: 50, reason: 'Goodwill.' });
    expect(given.json).toMatchObject({ credits: 50, call_id: null, balance: 100_050 });
    const taken = await stage.post(path, { credits: -60, reason: 'Given twice.' });
    expect(taken.json).toMatchObject({ credits: -60, grant_id: null, balance: 99_990 });
    const grants = itemsOf(await stage.get(`/accounts/${id}/grants`));
    expect(grants).toMatchObject([
      { kind: 'promotional', left: 99_940 },
      { id: given.json['grant_id'], kind: 'adjustment', left: 50, note: 'Goodwill.' },
    ]);
    const [last] = itemsOf(await stage.get(`/accounts/${id}/events`)).toReversed();
    expect(last).toMatchObject({ type: 'Adjusted', data: { reason: 'Given twice.' } });
  });

  it('never takes more than there is', async () => {
    const id = await stage.prepaid({}, 10);
    const taken = await stage.post(`/accounts/${id}/adjustments`, { credits: -11, reason: 'x' });
    expect(taken.json).toMatchObject({ code: 'conflict', detail: expect.stringContaining('10') });
  });

  it('gives one call back once, and at most what it was charged', async () => {
    const id = await stage.prepaid();
    const call = await stage.call(id);
    const path = `/accounts/${id}/adjustments`;
    const refund = { credits: 50_000, reason: 'Wrong data.', call_id: call.id.toUpperCase() };
    const tooMuch = await stage.post(path, { ...refund, credits: 50_001 });
    expect(tooMuch.json).toMatchObject({ code: 'conflict' });
    const negative = await stage.post(path, { ...refund, credits: -1 });
    expect(negative.json).toMatchObject({ code: 'conflict' });
    const first = await stage.post(path, refund);
    expect(first.json).toMatchObject({ call_id: call.id, balance: 100_000 });
    const second = await stage.post(path, refund);
    expect(second.status).toBe(409);
    expect(second.json).toMatchObject({ code: 'conflict' });
    expect((await stage.get(`/calls/${call.id}`)).json).toMatchObject({
      account_id: id,
      adjusted_by: first.json['id'],
    });
  });

  it('of a call that the account did not make points at it', async () => {
    const [id, other] = [await stage.prepaid(), await stage.prepaid()];
    const call = await stage.call(other);
    const refund = { credits: 1, reason: 'Wrong data.', call_id: call.id };
    const refused = await stage.post(`/accounts/${id}/adjustments`, refund);
    expect(refused.json).toMatchObject({ code: 'invalid-body', errors: [{ pointer: '/call_id' }] });
  });
});
