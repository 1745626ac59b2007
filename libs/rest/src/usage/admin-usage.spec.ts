import { itemsOf } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';

const stage = adminStage();

describe('usage', () => {
  it('shows windows and calls of any account, as JSON and as CSV, and explains each call', async () => {
    const id = await stage.prepaid();
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

  it('takes a cursor of calls in the order alone in which it was handed out', async () => {
    const id = await stage.prepaid();
    const made = [await stage.call(id), await stage.call(id), await stage.call(id)];
    const path = `/accounts/${id}/calls?limit=2`;
    const first = await stage.get(`${path}&order=desc`);
    const next = String(first.json['next']);
    const rest = await stage.get(`${path}&order=desc&after=${next}`);
    const ids = [...itemsOf(first), ...itemsOf(rest)].map(({ call_id }) => call_id);
    expect(ids).toEqual(made.map((call) => call.id).toReversed());
    expect((await stage.get(`${path}&order=asc&after=${next}`)).json).toMatchObject({
      code: 'invalid-parameter',
      parameters: [{ name: 'after', value: next }],
    });
  });

  it('filters calls by API key, resource key and tag', async () => {
    const id = await stage.prepaid();
    const { made } = await stage.call(id);
    const [key] = itemsOf(await stage.get(`/accounts/${id}/api-keys`));
    const found = async (query: string): Promise<number> =>
      itemsOf(await stage.get(`/accounts/${id}/calls?${query}`)).length;
    expect(await found(`api_key_id=${String(key?.['id']).toUpperCase()}`)).toBe(1);
    expect(await found(`api_key_id=${id}`)).toBe(0);
    expect(await found(`resource_key=${encodeURIComponent(made.key)}`)).toBe(1);
    expect(await found('resource_key=%2Fv1%2F2026w47%2Fnothing')).toBe(0);
    expect(await found('tag=team')).toBe(0);
    expect(await found('tag=team%3Dnails')).toBe(0);
  });

  it('sums calls of any account, as JSON and as CSV', async () => {
    const id = await stage.prepaid();
    await stage.call(id);
    await stage.call(id);
    const [key] = itemsOf(await stage.get(`/accounts/${id}/api-keys`));
    const sums = await stage.get(
      `/accounts/${id}/usage?by=day,window,month,resource,region,rule,kind,api_key,key,tag:team`,
    );
    expect(itemsOf(sums)).toEqual([
      {
        day: '2026-11-24',
        window: '2026w48',
        month: '2026-11',
        resource: 'trends',
        region: 'us',
        rule: 'all beauty trends',
        kind: 'base',
        api_key: key?.['id'],
        key: '/v1/2026w48/cat1/trends/all/popindex/us/beauty',
        tags: { team: null },
        calls: 1,
        call_cost: 10,
        data_cost: 49_990,
        credits_used: 50_000,
      },
      expect.objectContaining({ kind: 'repeat', calls: 1, credits_used: 10 }),
    ]);
    const csv = await stage.get(`/accounts/${id}/usage?by=kind`, { accept: 'text/csv' });
    expect(csv.text).toBe(
      'kind,calls,call_cost,data_cost,credits_used\r\nbase,1,10,49990,50000\r\nrepeat,1,10,0,10\r\n',
    );
  });

  it('reads an account, its windows and its sums as of a moment', async () => {
    const id = await stage.prepaid();
    await stage.call(id);
    stage.now += 60_000;
    await stage.call(id);
    const asOf = new Date(stage.now - 1).toISOString();
    const account = await stage.get(`/accounts/${id}?as_of=${asOf}`);
    expect(account.json).toMatchObject({ balance: 50_000, window_credits_used: 50_000, now: asOf });
    expect((await stage.get(`/accounts/${id}`)).json).toMatchObject({ balance: 49_990 });
    const windows = await stage.get(`/accounts/${id}/windows?as_of=${asOf}`);
    expect(itemsOf(windows)).toMatchObject([{ calls: 1, credits_used: 50_000 }]);
    const sums = await stage.get(`/accounts/${id}/usage?as_of=${asOf}`);
    expect(itemsOf(sums)).toMatchObject([{ calls: 1 }]);
  });

  it.each([
    ['2026-11-01', /^The account was opened at /],
    ['2027-01-01', /^The account has not come there: it is /],
    ['now', /a time like /],
  ])('refuses to read an account as of %s', async (asOf, detail) => {
    const id = await stage.account();
    for (const list of ['', '/windows', '/usage']) {
      const refused = await stage.get(`/accounts/${id}${list}?as_of=${asOf}`);
      expect([refused.status, refused.json['code']]).toEqual([400, 'invalid-parameter']);
      expect(refused.json['parameters']).toEqual([
        { in: 'query', name: 'as_of', value: asOf, detail: expect.stringMatching(detail) },
      ]);
    }
  });

  it('lists the calls that drew on a grant, and what they drew', async () => {
    const id = await stage.account();
    await stage.post(`/accounts/${id}/api-keys`, { label: 'Production' });
    const small = { credits: 30_000, kind: 'promotional', priority: 1 };
    const { json: first } = await stage.post(`/accounts/${id}/grants`, small);
    const { json: second } = await stage.post(`/accounts/${id}/grants`, {
      ...small,
      priority: 2,
    });
    const { json: third } = await stage.post(`/accounts/${id}/grants`, { ...small, priority: 3 });
    const calls = [await stage.call(id), await stage.call(id)];
    const drawn = async (grant: unknown): Promise<unknown[]> =>
      itemsOf(await stage.get(`/accounts/${id}/grants/${String(grant)}/calls`)).map((call) => [
        call['call_id'],
        call['credits_drawn'],
      ]);
    expect(await drawn(first['id'])).toEqual([[calls[0]?.id, 30_000]]);
    expect(await drawn(second['id'])).toEqual([
      [calls[0]?.id, 20_000],
      [calls[1]?.id, 10],
    ]);
    expect(await drawn(third['id'])).toEqual([]);
    const csv = await stage.get(`/accounts/${id}/grants/${String(second['id'])}/calls?order=desc`, {
      accept: 'text/csv',
    });
    expect(csv.text.split('\r\n').map((line) => line.split(',').at(-1))).toEqual([
      'credits_drawn',
      '10',
      '20000',
      '',
    ]);
    const other = await stage.account();
    const strange = await stage.get(`/accounts/${other}/grants/${String(first['id'])}/calls`);
    expect([strange.status, strange.json['detail']]).toEqual([404, 'There is no such grant.']);
  });
});
