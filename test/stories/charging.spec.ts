import { Service, type Answer, type Customer } from '../setup/service.js';

const PLENTY = 100_000_000;
const ALL_BEAUTY = '/v1/latest/cat1/trends/all/popindex/us/beauty';

const service = Service.ofFile();

function creditsOf({ status, body, text }: Answer): number {
  if (status !== 200) throw new Error(text);
  const data = body.data as { call_cost: number; data_cost: number };
  expect(body.credits_used).toBe(data.call_cost + data.data_cost);
  return Number(body.credits_used);
}

/** The log's own words about an account's calls: key, kind and credits, in order. */
async function logged({ accountId }: Customer): Promise<[string, string, number][]> {
  const { body } = await service.admin(`/accounts/${accountId}/events?limit=1000`);
  const events = body.items as { type: string; data: Record<string, unknown> }[];
  return events
    .filter(({ type }) => type === 'CallMade')
    .map(({ data }) => {
      const [call = 0, rows = 0] = data.cost as number[];
      return [String(data.key), String(data.kind), call + rows];
    });
}

async function firstTrend(): Promise<string> {
  const customer = await service.customer(PLENTY);
  const { body } = await customer.get('/v1/latest/cat1/trends/top5/popindex/us/beauty');
  const { trends } = body.data as { trends: { cat5_id: string }[] };
  return trends[0]?.cat5_id ?? '';
}

describe('the worked sequence of the specification', () => {
  it('costs 50,000 on Tuesday, 10 for each later call of the week, and 50,000 next Tuesday', async () => {
    const customer = await service.customer(PLENTY, { test_clock: '2026-11-24T09:00:00Z' });
    const moments = [
      '2026-11-24T09:00:00Z',
      '2026-11-25T09:00:00Z',
      '2026-11-25T17:30:00Z',
      '2026-11-26T12:00:00Z',
      '2026-11-30T23:59:59Z',
      '2026-12-01T00:00:00Z',
    ];
    const charges: number[] = [];
    for (const moment of moments) {
      await service.moveClock(customer.accountId, moment);
      charges.push(creditsOf(await customer.get(ALL_BEAUTY)));
    }
    expect(charges).toEqual([50_000, 10, 10, 10, 10, 50_000]);
    expect((await logged(customer)).map(([key, kind]) => [key.split('/')[2], kind])).toEqual([
      ['2026w48', 'base'],
      ...Array.from({ length: 4 }, () => ['2026w48', 'repeat']),
      ['2026w49', 'base'],
    ]);
  });

  it.each([
    ['all beauty trends', '/v1/latest/cat1/trends/all/popindex/us/beauty', 50_000],
    ['top 5 beauty trends', '/v1/latest/cat1/trends/top5/popindex/us/beauty', 35],
    ['all beauty brands', '/v1/latest/cat1/brands/all/popindex/us/beauty', 60_000],
    ['top 5 beauty brands', '/v1/latest/cat1/brands/top5/popindex/us/beauty', 35],
    ['all skincare trends', '/v1/latest/cat2/trends/all/popindex/us/skincare', 10_000],
  ])('%s cost their base rate once and then 10', async (_what, path, base) => {
    const customer = await service.customer(PLENTY);
    expect(creditsOf(await customer.get(path))).toBe(base);
    expect(creditsOf(await customer.get(path))).toBe(10);
  });

  it('a time series costs 1,760, of which 10 are for the call and 1,750 for the data', async () => {
    const customer = await service.customer(PLENTY);
    const path = `/v1/latest/cat5/timeseries/popindex/us/${await firstTrend()}`;
    const { body } = await customer.get(path);
    expect(body.credits_used).toBe(1_760);
    expect(body.data).toMatchObject({ call_cost: 10, data_cost: 1_750 });
    expect(creditsOf(await customer.get(path))).toBe(10);
  });
});

describe('500 first calls of one URL at once', () => {
  it('are one base charge and 499 repeats, and the log says the same', async () => {
    const customer = await service.customer(PLENTY, {
      rate_limit: { per_second: 10_000, burst: 10_000 },
    });
    const answers = await Promise.all(Array.from({ length: 500 }, () => customer.get(ALL_BEAUTY)));
    const charges = answers.map(creditsOf);
    expect(charges.filter((credits) => credits === 50_000)).toHaveLength(1);
    expect(charges.filter((credits) => credits === 10)).toHaveLength(499);
    expect(new Set(answers.map(({ headers }) => headers.get('call-id'))).size).toBe(500);
    const calls = await logged(customer);
    expect(calls.filter(([, kind]) => kind === 'base')).toHaveLength(1);
    expect(calls).toHaveLength(500);
    const { body } = await service.admin(`/accounts/${customer.accountId}`);
    expect(body.balance).toBe(PLENTY - 50_000 - 499 * 10);
  });
});

describe('one key', () => {
  it('is shared by latest, the label, the short shape; another account has its own', async () => {
    const customer = await service.customer(PLENTY);
    const other = await service.customer(PLENTY);
    const first = await customer.get(ALL_BEAUTY);
    const key = String(first.body.key);
    const short = '/v1/cat1/trends/all/popindex/us/beauty';
    expect(creditsOf(first)).toBe(50_000);
    for (const path of [key, short, `${short}?`]) {
      const answer = await customer.get(path);
      expect([answer.body.key, creditsOf(answer)]).toEqual([key, 10]);
    }
    expect(creditsOf(await other.get(short))).toBe(50_000);
  });

  it('is the same for a UUID in upper case', async () => {
    const customer = await service.customer(PLENTY);
    const id = await firstTrend();
    const path = (item: string) => `/v1/latest/cat5/timeseries/popindex/us/${item}`;
    const upper = await customer.get(path(id.toUpperCase()));
    const lower = await customer.get(path(id));
    expect([creditsOf(upper), creditsOf(lower)]).toEqual([1_760, 10]);
    expect(upper.body.key).toBe(lower.body.key);
  });
});

describe('every charge can be explained', () => {
  it('down to the rule, the opening call, the grant and the place in the log', async () => {
    const customer = await service.customer(60_000);
    const first = await customer.get(ALL_BEAUTY, { 'credits-tag': 'team=nails' });
    const second = await customer.get(ALL_BEAUTY);
    const openedBy = first.headers.get('call-id');
    const { body } = await customer.get(`/v1/calls/${second.headers.get('call-id')}`);
    expect(body).toMatchObject({
      kind: 'repeat',
      credits_used: 10,
      rule: 'all beauty trends',
      rate_card: 1,
      opened_by: { call_id: openedBy },
      balance_before: 10_000,
      balance_after: 9_990,
    });
    const operator = await service.admin(`/calls/${openedBy}`);
    expect(operator.body).toMatchObject({
      kind: 'base',
      credits_used: 50_000,
      tags: { team: 'nails' },
      asked: ALL_BEAUTY,
      draws: [{ credits: 50_000 }],
    });
  });
});

test('a quote without funds is the price of the calls as if there were', async () => {
  const customer = await service.customer(20);
  const url = '/v1/latest/cat1/trends/all/popindex/us/beauty';
  const answer = await fetch(`${service.apiUrl}/v1/quotes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ urls: [url, url, url] }),
  });
  expect(await answer.json()).toMatchObject({
    total_credits: 50_020,
    shortfall_credits: 50_000,
    affordable: false,
  });
});

describe('the catalog', () => {
  it('lists to a key the names that its calls can use, and charges nothing', async () => {
    const customer = await service.customer(PLENTY);
    const list = async (query: string) =>
      (await customer.get(`/v1/catalog${query}`)).body as {
        items: { id: string; slug: string }[];
        next: string;
      };
    const found = (await list('?level=cat2&search=skincare')).items[0];
    const group = (await list('/groups')).items[0];
    const region = (await list('/regions')).items[0];
    const path = `/v1/latest/cat2/related-trends/top5/popindex/${region?.slug}/${found?.id}`;
    expect((await customer.get(`${path}/${group?.slug}`)).status).toBe(200);

    const brands = await list('?level=brand&limit=2');
    expect(brands.items).toHaveLength(2);
    const next = await list(`?level=brand&limit=2&after=${brands.next}`);
    expect(next.items).not.toEqual(brands.items);
    expect(await logged(customer)).toHaveLength(1);
  });

  it('is refused without a key, and with a wrong query by its fault', async () => {
    const customer = await service.customer(PLENTY);
    expect((await fetch(`${service.apiUrl}/v1/catalog`)).status).toBe(401);
    const { status, body } = await customer.get('/v1/catalog?level=cat6');
    expect([status, body.code]).toEqual([400, 'invalid-parameter']);
  });
});
