import { Service, type Answer, type Customer } from '../setup/service.js';

const CLOCK = '2026-11-24T09:00:00Z';
const TOP_5 = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const ALL_BEAUTY = '/v1/latest/cat1/trends/all/popindex/us/beauty';
const skincare = (region: string): string =>
  `/v1/latest/cat2/trends/all/popindex/${region}/skincare`;

const service = Service.ofFile();

async function itemsOf(answer: Promise<Answer>): Promise<Record<string, unknown>[]> {
  const { status, body, text } = await answer;
  if (status !== 200) throw new Error(text);
  return body.items as Record<string, unknown>[];
}

async function budget({ accountId }: Customer, members: object): Promise<string> {
  const { status, body, text } = await service.admin(`/accounts/${accountId}/budgets`, {
    period: 'month',
    limit_credits: 100_000,
    thresholds: [50, 80, 100],
    action: 'block',
    ...members,
  });
  if (status !== 201) throw new Error(text);
  return String(body.id);
}

async function callId(customer: Customer, path: string, credits: number): Promise<string> {
  const { status, body, headers, text } = await customer.get(path);
  if (status !== 200 || body.credits_used !== credits) throw new Error(text);
  return String(headers.get('call-id'));
}

function alerts({ accountId }: Customer): Promise<Record<string, unknown>[]> {
  return itemsOf(service.admin(`/accounts/${accountId}/alerts`));
}

async function blocked({ accountId }: Customer): Promise<unknown[]> {
  const events = await itemsOf(service.admin(`/accounts/${accountId}/events?limit=1000`));
  return events.filter(({ type }) => type === 'BudgetBlocked').map(({ data }) => data);
}

function head({ apiKey }: Customer, path: string): Promise<Response> {
  const headers = { authorization: `Bearer ${apiKey}` };
  return fetch(`${service.apiUrl}${path}`, { method: 'HEAD', headers });
}

it('a budget of 100,000 credits reports 50, 80 and 100 % once each, blocks, and opens with the month', async () => {
  const customer = await service.customer(1_000_000, { test_clock: CLOCK });
  const id = await budget(customer, {});
  const half = await callId(customer, ALL_BEAUTY, 50_000);
  for (const region of ['us', 'gb']) await callId(customer, skincare(region), 10_000);
  const most = await callId(customer, skincare('fr'), 10_000);
  await callId(customer, skincare('kr'), 10_000);
  const all = await callId(customer, skincare('jp'), 10_000);
  const crossed = [
    [50, half, 50_000],
    [80, most, 80_000],
    [100, all, 100_000],
  ].map(([threshold, call_id, spent_credits]) => ({ threshold, call_id, spent_credits }));
  expect(await alerts(customer)).toMatchObject(crossed);

  // A first call and one of a key that is paid for: neither fits any more, and nothing is charged.
  const refused = [await customer.get(TOP_5), await customer.get(ALL_BEAUTY)];
  const left = { code: 'budget-exhausted', budget_id: id, left_credits: 0 };
  const resets = { resets_at: '2026-12-01T00:00:00Z' };
  expect(refused.map(({ status, body }) => [status, body])).toMatchObject([
    [402, { ...left, ...resets, required_credits: 35 }],
    [402, { ...left, ...resets, required_credits: 10 }],
  ]);
  expect(await blocked(customer)).toMatchObject([{ budget_id: id, required_credits: 35 }]);
  expect((await customer.get('/v1/account')).body).toMatchObject({
    balance: 900_000,
    budgets: [{ id, spent_credits: 100_000, left_credits: 0, ...resets }],
  });

  await service.moveClock(customer.accountId, '2026-11-30T23:59:59Z');
  expect((await customer.get(TOP_5)).status).toBe(402);
  await service.moveClock(customer.accountId, '2026-12-01T00:00:00Z');
  await callId(customer, TOP_5, 35);
  expect(await alerts(customer)).toHaveLength(3);
  expect(await blocked(customer)).toHaveLength(1);
  const { body } = await service.admin(`/accounts/${customer.accountId}/budgets/${id}`);
  expect(body).toMatchObject({ spent_credits: 35, running_period: '2026-12', blocked: false });
});

it('a price shows what a budget would refuse, before anything is called', async () => {
  const customer = await service.customer(1_000_000, { test_clock: CLOCK });
  const id = await budget(customer, { period: 'window', limit_credits: 60_005 });
  const members = { budget_id: id, resets_at: '2026-12-01T00:00:00Z' };
  const urls = [ALL_BEAUTY, skincare('us'), TOP_5];
  const prices = (await customer.client.quote(urls)) as { items: object[] };
  expect(prices).toMatchObject({ affordable: false, total_credits: 60_035 });
  expect(prices.items).toMatchObject([
    { credits: 50_000, problem: null },
    { credits: 10_000, problem: null },
    {
      credits: 35,
      problem: { code: 'budget-exhausted', ...members, required_credits: 35, left_credits: 5 },
    },
  ]);
  await callId(customer, ALL_BEAUTY, 50_000);
  await callId(customer, skincare('us'), 10_000);
  const refused = await head(customer, TOP_5);
  expect([refused.status, refused.headers.get('credits-estimate')]).toEqual([402, '35']);
  expect(await blocked(customer)).toEqual([]);
  const answer = await customer.get(TOP_5);
  expect(answer.body).toMatchObject({ code: 'budget-exhausted', ...members, left_credits: 5 });
});

it('a budget that only alerts refuses nothing, and of two that refuse the tighter one is named', async () => {
  const customer = await service.customer(1_000_000, { test_clock: CLOCK });
  await budget(customer, { action: 'alert', limit_credits: 10 });
  await callId(customer, ALL_BEAUTY, 50_000);
  await budget(customer, { limit_credits: 50_030 });
  const { body: keys } = await service.admin(`/accounts/${customer.accountId}/api-keys`);
  const [key] = keys.items as { id: string }[];
  const tighter = await budget(customer, { limit_credits: 50_020, api_key_id: key?.id });
  expect((await customer.get(TOP_5)).body).toMatchObject({ budget_id: tighter, left_credits: 20 });
  const other = await service.admin(`/accounts/${customer.accountId}/api-keys`, { label: 'other' });
  const url = `${service.apiUrl}${ALL_BEAUTY}`;
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${String(other.body.key)}` },
  });
  expect(response.status).toBe(200);
});
