import { idOf, itemsOf } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';

const stage = adminStage();

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

  it('is found by a part of its name in any case, and by the beginning of its id', async () => {
    const id = await stage.account({ name: 'Crème 50% & Söhne' });
    const found = async (search: string): Promise<unknown[]> => {
      const listed = await stage.get(`/accounts?search=${encodeURIComponent(search)}`);
      return itemsOf(listed).map((account) => account['id']);
    };
    expect(await found('crème 50%')).toEqual([id]);
    expect(await found('SÖHNE')).toEqual([id]);
    expect(await found(id.slice(0, 18).toUpperCase())).toContain(id);
    expect(await found('crème 5_%')).toEqual([]);
    const tooShort = await stage.get('/accounts?search=');
    expect(tooShort.json).toMatchObject({ code: 'invalid-parameter' });
  });

  it('makes it prepaid in US dollars by default', async () => {
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

describe('suspending', () => {
  it('refuses calls until it is undone, and doing either twice changes nothing', async () => {
    const id = await stage.prepaid();
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
    const id = await stage.prepaid({ test_clock: '2026-11-23T23:00:00Z' });
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

describe('the list of accounts', () => {
  it('goes through all of them by id, page by page, whatever is opened meanwhile', async () => {
    for (let index = 0; index < 5; index += 1) await stage.account();
    const all = itemsOf(await stage.get('/accounts?limit=1000')).map(({ id }) => String(id));
    expect(all).toEqual(all.toSorted());
    const seen: string[] = [];
    let next: string | null = '';
    while (next !== null) {
      const page = await stage.get(`/accounts?limit=3${next === '' ? '' : `&after=${next}`}`);
      seen.push(...itemsOf(page).map(({ id }) => String(id)));
      next = page.json['next'] as string | null;
      const link = next && `</admin/v1/accounts?limit=3&after=${next}>; rel="next"`;
      expect(page.headers['link']).toBe(link ?? undefined);
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
    const id = await stage.prepaid({ test_clock: '2026-11-24T09:00:00Z' });
    await stage.call(id);
    const [one] = itemsOf(await stage.get('/accounts?limit=1000')).filter(
      (item) => item['id'] === id,
    );
    expect(one).toMatchObject({ window_credits_used: 50_000 });
    expect(one).toEqual((await stage.get(`/accounts/${id}`)).json);
  });

  it('says how far it lags when the ledger cannot keep up within two seconds', async () => {
    await stage.get('/accounts');
    await stage.projections.stop();
    const id = await stage.account();
    const behind = await stage.ask('GET', '/admin/v1/accounts?limit=1000', { mayLag: true });
    stage.projections.start();
    expect(behind.headers['projection-lag']).toBe('1');
    expect(itemsOf(behind).some((account) => account['id'] === id)).toBe(false);
    const current = await stage.get('/accounts?limit=1000');
    expect(current.headers['projection-lag']).toBeUndefined();
    expect(itemsOf(current).some((account) => account['id'] === id)).toBe(true);
  });
});
