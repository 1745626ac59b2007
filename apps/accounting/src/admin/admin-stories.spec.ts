import { createHash } from 'node:crypto';
import { isApiKey } from '#account/api-key.js';
import { DAY, HOUR, TUESDAY } from '#account/scenario.suite.js';
import { PostgresKeyDirectory } from '#ledger/postgres-key-directory.js';
import { AdminStage, idOf, itemsOf } from './admin-stage.suite.js';

let stage: AdminStage;

beforeAll(async () => {
  stage = await AdminStage.open();
});

afterAll(async () => {
  expect(stage.errors).toEqual([]);
  await stage.close();
});

/** An account with an API key and credits. */
async function prepaid(members: object = {}, credits = 100_000): Promise<string> {
  const id = await stage.account(members);
  idOf(await stage.post(`/accounts/${id}/api-keys`, { label: 'Production' }));
  idOf(await stage.post(`/accounts/${id}/grants`, { credits, kind: 'purchased', price: 125_000 }));
  return id;
}

describe('opening an account', () => {
  it('answers the account with its address, and every read after that sees it', async () => {
    const opened = await stage.post('/accounts', {
      name: 'Nails & Co',
      currency: 'EUR',
      overdraft_credits: null,
      rate_limit: { per_second: 5, burst: 10 },
      low_balance_credits: 1000,
      rate_card: 1,
    });
    const id = idOf(opened);
    expect(opened.headers['location']).toBe(`/admin/v1/accounts/${id}`);
    expect(opened.json).toMatchObject({
      name: 'Nails & Co',
      status: 'active',
      test: false,
      currency: 'EUR',
      balance: 0,
      overdraft_credits: null,
      available_credits: null,
      grants: [],
      rate_limit: { per_second: 5, burst: 10 },
      low_balance_credits: 1000,
      rate_card: 1,
      test_clock: null,
      now: '2026-11-24T09:00:00.000Z',
      window: '2026w48',
      window_ends_at: '2026-12-01T00:00:00Z',
      version: 1,
    });
    expect((await stage.get(`/accounts/${id}`)).json).toEqual(opened.json);
    const listed = itemsOf(await stage.get('/accounts?limit=1000'));
    expect(listed.find((account) => account['id'] === id)).toEqual(opened.json);
  });

  it('makes it prepaid in US dollars unless told', async () => {
    const { json } = await stage.post('/accounts', { name: 'Plain' });
    const plain = { currency: 'USD', overdraft_credits: 0, rate_limit: null, rate_card: null };
    expect(json).toMatchObject(plain);
  });

  it('writes who opened it into its event, and no name', async () => {
    const id = await stage.account({ name: 'Very Personal Name' });
    const events = await stage.get(`/accounts/${id}/events`);
    expect(itemsOf(events)).toMatchObject([
      { type: 'AccountOpened', account_version: 1, data: { by: 'owner' } },
    ]);
    expect(events.text).not.toContain('Very Personal');
  });
});

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
    expect(await new PostgresKeyDirectory(stage.pool).find(hash)).toMatchObject({
      accountId: id,
      keyId: issued.json['id'],
      revoked: false,
    });
    const { rows } = await stage.pool.query<{ text: string }>(
      `select coalesce(string_agg(data::text, ''), '') as text from event
       union all select coalesce(string_agg(body::text, ''), '') from profile`,
    );
    expect(rows.map(({ text }) => text).join('')).not.toContain(key.slice(9));
  });

  it('of an account with a test clock can be told by its prefix', async () => {
    const id = await stage.account({ test_clock: '2026-01-01T00:00:00Z' });
    const { json } = await stage.post(`/accounts/${id}/api-keys`, { label: 'Trial' });
    expect(json).toMatchObject({ prefix: 'pix_test_' });
    expect(isApiKey(String(json['key']))).toBe(true);
  });

  it('is listed with its state and its last use, and revoked at once and only once', async () => {
    const id = await prepaid();
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
    const [id, other] = [await prepaid(), await prepaid()];
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
    const id = await prepaid({ test_clock: '2026-11-24T09:00:00Z' }, 30);
    const soon = { credits: 40_000, kind: 'promotional', priority: 1, note: 'Welcome.' };
    const given = await stage.post(`/accounts/${id}/grants`, {
      ...soon,
      expires_at: '2026-11-25T00:00:00Z',
    });
    expect(given.json).toMatchObject({ ...soon, price: null, left: 40_000, status: 'active' });
    await stage.post(`/accounts/${id}/grants`, { credits: 20_000, kind: 'purchased' });
    await stage.call(id);
    await stage.post(`/accounts/${id}/grants`, {
      credits: 5,
      kind: 'promotional',
      expires_at: '2026-11-25T00:00:00Z',
    });
    await stage.post(`/accounts/${id}/test-clock`, { now: '2026-11-26T00:00:00Z' });
    const grants = itemsOf(await stage.get(`/accounts/${id}/grants`));
    expect(grants).toMatchObject([
      { credits: 30, left: 0, status: 'spent', price: 125_000, note: null },
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
    const id = await prepaid({ overdraft_credits: 50_000 }, 10);
    await stage.call(id);
    const { json } = await stage.post(`/accounts/${id}/grants`, {
      credits: 50_000,
      kind: 'purchased',
    });
    expect(json).toMatchObject({ credits: 50_000, left: 10 });
  });

  it('are never given with an expiry in the past, nor beyond what a number can hold', async () => {
    const id = await stage.account();
    const late = { credits: 1, kind: 'promotional', expires_at: '2026-11-24T09:00:00Z' };
    expect((await stage.post(`/accounts/${id}/grants`, late)).json).toMatchObject({
      code: 'conflict',
      detail: 'expires_at must lie in the future of the account.',
    });
    const most = { credits: Number.MAX_SAFE_INTEGER, kind: 'purchased' };
    expect((await stage.post(`/accounts/${id}/grants`, most)).status).toBe(201);
    const more = await stage.post(`/accounts/${id}/grants`, { credits: 1, kind: 'purchased' });
    expect([more.status, more.json['code']]).toEqual([409, 'conflict']);
  });
});

describe('an adjustment', () => {
  it('gives and takes by hand, for a reason that the log keeps', async () => {
    const id = await prepaid();
    const path = `/accounts/${id}/adjustments`;
    const given = await stage.post(path, { credits: 50, reason: 'Goodwill.' });
    expect(given.json).toMatchObject({ credits: 50, call_id: null, balance: 100_050 });
    const taken = await stage.post(path, { credits: -60, reason: 'Given twice.' });
    expect(taken.json).toMatchObject({ credits: -60, grant_id: null, balance: 99_990 });
    const grants = itemsOf(await stage.get(`/accounts/${id}/grants`));
    expect(grants).toMatchObject([
      { kind: 'purchased', left: 99_940 },
      { id: given.json['grant_id'], kind: 'adjustment', left: 50, note: 'Goodwill.' },
    ]);
    const [last] = itemsOf(await stage.get(`/accounts/${id}/events`)).toReversed();
    expect(last).toMatchObject({ type: 'Adjusted', data: { reason: 'Given twice.' } });
  });

  it('never takes more than there is', async () => {
    const id = await prepaid({}, 10);
    const taken = await stage.post(`/accounts/${id}/adjustments`, { credits: -11, reason: 'x' });
    expect(taken.json).toMatchObject({ code: 'conflict', detail: expect.stringContaining('10') });
  });

  it('gives one call back once, and at most what it was charged', async () => {
    const id = await prepaid();
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
    const [id, other] = [await prepaid(), await prepaid()];
    const call = await stage.call(other);
    const refund = { credits: 1, reason: 'Wrong data.', call_id: call.id };
    const refused = await stage.post(`/accounts/${id}/adjustments`, refund);
    expect(refused.json).toMatchObject({ code: 'invalid-body', errors: [{ pointer: '/call_id' }] });
  });
});

describe('suspending', () => {
  it('refuses calls until it is undone, and doing either twice changes nothing', async () => {
    const id = await prepaid();
    const reason = { reason: 'Unpaid.' };
    const suspended = await stage.post(`/accounts/${id}/suspend`, reason);
    expect(suspended.json).toMatchObject({ status: 'suspended', version: 4 });
    expect((await stage.post(`/accounts/${id}/suspend`)).json).toEqual(suspended.json);
    await expect(stage.call(id)).rejects.toThrow('account-suspended');
    const listed = itemsOf(await stage.get('/accounts?limit=1000&status=suspended'));
    expect(listed.map((account) => account['id'])).toContain(id);
    const resumed = await stage.post(`/accounts/${id}/resume`, {});
    expect(resumed.json).toMatchObject({ status: 'active', version: 5 });
    await stage.call(id);
    const events = itemsOf(await stage.get(`/accounts/${id}/events`));
    expect(events.at(3)).toMatchObject({ type: 'AccountSuspended', data: reason });
  });
});

describe('a test clock', () => {
  it('makes a week pass in a moment, with everything that falls due in it', async () => {
    const id = await prepaid({ test_clock: '2026-11-23T23:00:00Z' });
    const expiry = '2026-11-24T01:00:00Z';
    await stage.post(`/accounts/${id}/grants`, {
      credits: 7,
      kind: 'promotional',
      expires_at: expiry,
      priority: 200,
    });
    expect((await stage.get(`/accounts/${id}`)).json).toMatchObject({ window: '2026w47' });
    const moved = await stage.post(`/accounts/${id}/test-clock`, { now: '2026-11-24T02:00:00Z' });
    expect(moved.json).toMatchObject({
      test: true,
      test_clock: '2026-11-24T02:00:00Z',
      window: '2026w48',
      balance: 100_000,
    });
    const events = itemsOf(await stage.get(`/accounts/${id}/events`));
    expect(events.slice(-2)).toMatchObject([
      { type: 'GrantExpired', at: '2026-11-24T01:00:00.000Z', call_id: null },
      { type: 'TestClockMoved' },
    ]);
  });

  it('never goes back, moves 400 days at most, and only where there is one', async () => {
    const id = await stage.account({ test_clock: '2026-11-24T00:00:00Z' });
    const real = await stage.account();
    const table = [
      [id, '2026-11-23T23:59:59Z'],
      [id, '2027-12-29T00:00:01Z'],
      [real, '2026-11-25T00:00:00Z'],
    ];
    for (const [account = '', now] of table) {
      const refused = await stage.post(`/accounts/${account}/test-clock`, { now });
      expect(refused.json).toMatchObject({ code: 'conflict' });
    }
    const still = await stage.post(`/accounts/${id}/test-clock`, { now: '2026-11-24T00:00:00Z' });
    expect([still.status, still.json['version']]).toEqual([200, 1]);
    const most = await stage.post(`/accounts/${id}/test-clock`, { now: '2027-12-29T00:00:00Z' });
    expect(most.status).toBe(200);
  });
});

describe('usage', () => {
  it('shows windows and calls of any account, as JSON and as CSV, and explains each call', async () => {
    const id = await prepaid();
    const first = await stage.call(id);
    const second = await stage.call(id);
    expect([first.made.cost, second.made.cost]).toEqual([
      [10, 49_990],
      [10, 0],
    ]);
    const windows = await stage.get(`/accounts/${id}/windows`);
    expect(itemsOf(windows)).toMatchObject([
      { window: '2026w48', calls: 2, credits_used: 50_010, window_ends_at: '2026-12-01T00:00:00Z' },
    ]);
    expect(itemsOf(await stage.get(`/accounts/${id}/windows?window=2026w47`))).toEqual([]);
    const repeats = await stage.get(`/accounts/${id}/calls?kind=repeat&order=desc&from=2026-11-24`);
    expect(itemsOf(repeats)).toMatchObject([{ call_id: second.id, credits_used: 10 }]);
    expect(itemsOf(await stage.get(`/accounts/${id}/calls?to=2026-11-24`))).toEqual([]);
    expect((await stage.get(`/calls/${second.id}`)).json).toMatchObject({
      account_id: id,
      kind: 'repeat',
      opened_by: { call_id: first.id },
    });
    const csv = { accept: 'text/csv' };
    const calls = await stage.get(`/accounts/${id}/calls?limit=1`, csv);
    const [head, row] = calls.text.split('\r\n');
    expect(head).toBe(
      'call_id,at,key,kind,call_cost,data_cost,credits_used,balance_after,api_key_id,tags',
    );
    expect(row).toContain(`${first.id},2026-11-24T09:00:00.000Z,`);
    expect(calls.headers['link']).toMatch(/rel="next"$/);
    const keys = await stage.get(`/accounts/${id}/windows`, csv);
    expect(keys.text).toContain(',2026w48,2026-11-24T09:00:00.000Z,2,50010,');
  });

  it('filters calls by API key, resource key and tag', async () => {
    const id = await prepaid();
    const { made } = await stage.call(id);
    const [key] = itemsOf(await stage.get(`/accounts/${id}/api-keys`));
    const found = async (query: string): Promise<number> =>
      itemsOf(await stage.get(`/accounts/${id}/calls?${query}`)).length;
    expect(await found(`api_key_id=${String(key?.['id']).toUpperCase()}`)).toBe(1);
    expect(await found(`api_key_id=${id}`)).toBe(0);
    expect(await found(`resource_key=${encodeURIComponent(made.key)}`)).toBe(1);
    expect(await found('resource_key=%2Fv1%2Fnothing')).toBe(0);
    expect(await found('tag=team')).toBe(0);
    expect(await found('tag=team%3Dnails')).toBe(0);
  });
});

describe('the list of accounts', () => {
  it('goes through all of them by id, page by page, whatever is opened meanwhile', async () => {
    for (let index = 0; index < 5; index += 1) await stage.account();
    const all = itemsOf(await stage.get('/accounts?limit=1000')).map(({ id }) => String(id));
    expect(all).toEqual(all.toSorted());
    const seen: string[] = [];
    let next: unknown = '';
    while (next !== null) {
      const page = await stage.get(
        `/accounts?limit=3${next === '' ? '' : `&after=${String(next)}`}`,
      );
      seen.push(...itemsOf(page).map(({ id }) => String(id)));
      next = page.json['next'];
    }
    expect(seen).toEqual(all);
  });

  it('holds test accounts alone or none of them when asked', async () => {
    const [real, test] = [
      await stage.account(),
      await stage.account({ test_clock: '2026-01-01T00:00:00Z' }),
    ];
    const listed = async (query: string): Promise<unknown[]> =>
      itemsOf(await stage.get(`/accounts?limit=1000&${query}`)).map(({ id }) => id);
    const [tests, others] = [await listed('test=true'), await listed('test=false')];
    expect([tests.includes(test), tests.includes(real)]).toEqual([true, false]);
    expect([others.includes(test), others.includes(real)]).toEqual([false, true]);
  });

  it('shows what each has spent in its own window, as the account itself does', async () => {
    const id = await prepaid({ test_clock: '2026-11-24T09:00:00Z' });
    await stage.call(id);
    const [one] = itemsOf(await stage.get('/accounts?limit=1000')).filter(
      (item) => item['id'] === id,
    );
    expect(one).toMatchObject({ window_credits_used: 50_000 });
    expect(one).toEqual((await stage.get(`/accounts/${id}`)).json);
  });

  it('says how far it lags when the ledger cannot keep up within two seconds', async () => {
    await stage.projections.stop();
    const id = await stage.account();
    const behind = await stage.get('/accounts?limit=1000');
    stage.projections.start();
    expect(behind.headers['projection-lag']).toBe('1');
    expect(itemsOf(behind).some((account) => account['id'] === id)).toBe(false);
    const current = await stage.get('/accounts?limit=1000');
    expect(current.headers['projection-lag']).toBeUndefined();
    expect(itemsOf(current).some((account) => account['id'] === id)).toBe(true);
  });
});
