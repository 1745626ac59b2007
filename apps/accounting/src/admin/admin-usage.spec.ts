import { AdminStage, itemsOf } from './admin-stage.suite.js';

let stage: AdminStage;

beforeAll(async () => {
  stage = await AdminStage.open();
});

afterAll(async () => {
  expect(stage.errors).toEqual([]);
  await stage.close();
});

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

  it('filters calls by API key, resource key and tag', async () => {
    const id = await stage.prepaid();
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
