import { parse } from 'csv-parse/sync';
import { SERUM } from '../../test-adapters/memory-releases.js';
import { ask, type CheckedAnswer } from '../../test-adapters/seen.js';
import { bearer, createTestApi, type TestApi } from '../../test-adapters/test-api.js';

const TRENDS = '/v1/latest/cat2/trends/top5/popindex/us/skincare';
const SERIES = `/v1/latest/cat5/timeseries/popindex/us/${SERUM}`;
const CSV = { accept: 'text/csv' };

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi({ reads: true });
});
afterAll(() => api.close());

function caller(credits = 1_000_000) {
  const account = api.account(credits);
  const headers = bearer(api.key(account));
  const get = (url: string, more: Record<string, string> = {}): Promise<CheckedAnswer> =>
    ask(api, { url, headers: { ...headers, ...more } });
  return { account, get };
}

describe('the account', () => {
  it('sums its calls by what is asked for, page by page', async () => {
    const { get } = caller();
    await get(TRENDS, { 'credits-tag': 'team=nails, project=autumn' });
    for (const url of [TRENDS, SERIES]) await get(url);
    expect((await get('/v1/account/usage')).json()).toEqual({
      items: [{ calls: 3, call_cost: 30, data_cost: 1775, credits_used: 1805 }],
      next: null,
    });
    const first = (await get('/v1/account/usage?by=month,resource,kind&limit=2')).json();
    expect(first['items']).toMatchObject([
      { month: '2026-11', resource: 'timeseries', kind: 'base', calls: 1, credits_used: 1760 },
      { month: '2026-11', resource: 'trends', kind: 'base', calls: 1, credits_used: 35 },
    ]);
    const after = encodeURIComponent(String(first['next']));
    const rest = await get(`/v1/account/usage?by=month,resource,kind&limit=2&after=${after}`);
    expect(rest.json()).toMatchObject({ items: [{ kind: 'repeat' }], next: null });
  });

  it('sums its calls by one tag or by all of them, each call once', async () => {
    const { get } = caller();
    await get(TRENDS, { 'credits-tag': 'team=nails, project=autumn' });
    await get(TRENDS, { 'credits-tag': 'team=hair' });
    await get(SERIES);
    const items = async (by: string) => (await get(`/v1/account/usage?by=${by}`)).json()['items'];
    expect(await items('tag:team')).toMatchObject([
      { tags: { team: null }, calls: 1, credits_used: 1760 },
      { tags: { team: 'hair' }, calls: 1, credits_used: 10 },
      { tags: { team: 'nails' }, calls: 1, credits_used: 35 },
    ]);
    expect(await items('tag:team,tag:project')).toMatchObject([
      { tags: { team: null, project: null }, calls: 1 },
      { tags: { team: 'hair', project: null }, calls: 1 },
      { tags: { team: 'nails', project: 'autumn' }, calls: 1 },
    ]);
    const csv = await get('/v1/account/usage?by=tags,tag:team', CSV);
    expect(csv.body.split('\r\n')).toEqual([
      'tags,tag:team,calls,call_cost,data_cost,credits_used',
      ',,1,10,1750,1760',
      '"project=autumn, team=nails",nails,1,10,25,35',
      'team=hair,hair,1,10,0,10',
      '',
    ]);
  });

  it.each(['tag', 'tag:', 'tag:Team', 'tag:team=nails', 'day,tag'])(
    'is not summed by %s: tags are grouped by name',
    async (by) => {
      const answer = await caller().get(`/v1/account/usage?by=${by}`);
      expect(answer.status).toBe(400);
      expect(answer.body).toContain('is the value of the tag');
      expect(answer.json()['parameters']).toMatchObject([{ in: 'query', name: 'by', value: by }]);
    },
  );

  it('is read as of a moment: balance, windows and sums', async () => {
    const { get } = caller(1000);
    await get(TRENDS);
    const asOf = new Date(api.clock.time).toISOString();
    api.clock.time += 1;
    await get(TRENDS);
    expect((await get(`/v1/account?as_of=${asOf}`)).json()).toMatchObject({ balance: 965 });
    const windows = (await get(`/v1/account/windows?as_of=${asOf}`)).json();
    expect(windows).toMatchObject({ items: [{ calls: 1, credits_used: 35 }] });
    const sums = (await get(`/v1/account/usage?as_of=${asOf}`)).json();
    expect(sums).toMatchObject({ items: [{ calls: 1, credits_used: 35 }] });
  });

  it('lists the calls that drew on a grant', async () => {
    const { account, get } = caller();
    for (const url of [TRENDS, SERIES]) await get(url);
    const [grant] = (await get('/v1/account')).json()['grants'] as unknown as { id: string }[];
    const url = `/v1/account/grants/${grant?.id.toUpperCase()}/calls`;
    const { items } = (await get(url)).json() as { items: { call_id: string }[] };
    expect(items).toMatchObject([{ credits_drawn: 35 }, { credits_drawn: 1760 }]);
    expect(items.map((call) => call.call_id)).toEqual(
      (await account.calls()).map(({ callId }) => callId),
    );
    const rows = parse((await get(url, CSV)).body, { columns: true });
    expect(rows).toMatchObject([{ credits_drawn: '35' }, { credits_drawn: '1760' }]);
  });

  it('lists all of its calls in one CSV where no limit is named', async () => {
    const { get } = caller();
    for (let index = 0; index < 7; index += 1) await get(TRENDS);
    const whole = await get('/v1/account/calls?order=desc', CSV);
    expect(whole.header('link')).toBeUndefined();
    const rows = parse(whole.body, { columns: true }) as { balance_after: string }[];
    expect(rows).toHaveLength(7);
    expect(rows[0]?.balance_after).toBe(String(1_000_000 - 95));
  });
});
