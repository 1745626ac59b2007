import { Service, type Answer, type Customer } from '../setup/service.js';
import { waitFor } from '../setup/wait-for.js';

const ALL_BEAUTY = '/v1/latest/cat1/trends/all/popindex/us/beauty';
const ALL_BRANDS = '/v1/latest/cat1/brands/all/popindex/us/beauty';
const TOP_5 = '/v1/latest/cat1/trends/top5/popindex/us/beauty';

interface Logged {
  readonly type: string;
  readonly at: string;
  readonly position: number;
  readonly call_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

const service = Service.ofFile();

async function logged({ accountId }: Customer, ...types: string[]): Promise<Logged[]> {
  const events: Logged[] = [];
  let next: string | null = null;
  do {
    const after: string = next === null ? '' : `&after=${next}`;
    const { body } = await service.admin(`/accounts/${accountId}/events?limit=1000${after}`);
    events.push(...(body.items as Logged[]));
    next = body.next as string | null;
  } while (next !== null);
  return events.filter(({ type }) => types.includes(type));
}

async function grant({ accountId }: Customer, members: object): Promise<string> {
  const made = await service.admin(`/accounts/${accountId}/grants`, members);
  if (made.status !== 201) throw new Error(made.text);
  return String(made.body.id);
}

function spent({ status, body, text }: Answer): number {
  if (status !== 200) throw new Error(text);
  return Number(body.credits_used);
}

async function balanceOf(customer: Customer): Promise<number> {
  return Number((await customer.get('/v1/account')).body.balance);
}

it('a prepaid customer runs dry, tops up, and goes on', async () => {
  const customer = await service.customer(50_015);
  const charges = [await customer.get(ALL_BEAUTY), await customer.get(ALL_BEAUTY)].map(spent);
  expect(charges).toEqual([50_000, 10]);
  const dry = await customer.get(ALL_BEAUTY);
  expect([dry.status, dry.body]).toMatchObject([
    402,
    { code: 'out-of-credits', required_credits: 10, balance: 5, available_credits: 5 },
  ]);
  expect(await balanceOf(customer)).toBe(5);
  await grant(customer, { credits: 5, kind: 'purchased', price: 10 });
  expect(spent(await customer.get(ALL_BEAUTY))).toBe(10);
  expect(await balanceOf(customer)).toBe(0);
  expect(await logged(customer, 'CallMade')).toHaveLength(3);
});

it('a grant expires on Tuesday at midnight: the call before draws on it, the one after does not', async () => {
  const terms = { test_clock: '2026-11-30T23:59:59Z' };
  const customer = await service.customer(60_000, terms);
  const midnight = '2026-12-01T00:00:00Z';
  const welcome = { credits: 80_000, kind: 'promotional', priority: 1, expires_at: midnight };
  const promotional = await grant(customer, welcome);
  const before = await customer.get(ALL_BEAUTY);
  expect([spent(before), before.headers.get('credits-balance')]).toEqual([50_000, '90000']);
  await service.moveClock(customer.accountId, midnight);
  const after = await customer.get(ALL_BEAUTY);
  expect([spent(after), after.headers.get('credits-balance')]).toEqual([50_000, '10000']);

  const draws = async (answer: Answer): Promise<unknown> =>
    (await customer.get(`/v1/calls/${answer.headers.get('call-id')}`)).body.draws;
  expect(await draws(before)).toEqual([{ grant_id: promotional, credits: 50_000 }]);
  expect(await draws(after)).toEqual([
    { grant_id: expect.not.stringMatching(promotional), credits: 50_000 },
  ]);
  expect(await logged(customer, 'GrantExpired')).toMatchObject([
    { at: '2026-12-01T00:00:00.000Z', data: { grant_id: promotional, credits: 30_000 } },
  ]);
  const { body } = await service.admin(`/accounts/${customer.accountId}/grants`);
  expect(body.items).toMatchObject([
    { kind: 'promotional', left: 10_000, status: 'active' },
    { kind: 'promotional', left: 0, status: 'expired' },
  ]);
});

it('a key is revoked under load, and not one later call is charged', async () => {
  const rate = { per_second: 100_000, burst: 100_000 };
  const customer = await service.customer(10_000_000, { rate_limit: rate });
  const { body: keys } = await service.admin(`/accounts/${customer.accountId}/api-keys`);
  const [key] = keys.items as { id: string }[];
  const path = `/accounts/${customer.accountId}/api-keys/${key?.id}`;
  const charged: string[] = [];
  const refused: Answer[] = [];
  /** Goes on until it has been refused. */
  async function caller(): Promise<void> {
    for (;;) {
      const answer = await customer.get(TOP_5);
      if (answer.status !== 200) {
        refused.push(answer);
        return;
      }
      charged.push(String(answer.headers.get('call-id')));
    }
  }
  const callers = Array.from({ length: 12 }, caller);
  await waitFor('the load', () => charged.length > 100, 30_000);
  expect((await service.admin(path, undefined, 'DELETE')).status).toBe(204);
  const after = await customer.get(TOP_5);
  await Promise.all(callers);

  expect([after, ...refused].map(({ status, body }) => [status, body.code])).toEqual(
    Array.from({ length: 13 }, () => [401, 'invalid-key']),
  );
  const events = await logged(customer, 'CallMade', 'ApiKeyRevoked');
  expect(events.at(-1)?.type).toBe('ApiKeyRevoked');
  // Nothing was charged that was not answered, and nothing answered that was not charged.
  const ids = events.slice(0, -1).map(({ call_id: id }) => id);
  expect(ids).toHaveLength(charged.length);
  expect(new Set(ids)).toEqual(new Set(charged));
}, 60_000);

it('a month under a plan closes: its debt is billed, and the next one begins with new credits', async () => {
  const plan = {
    monthly_fee: 4_900,
    included_credits: 60_000,
    price_per_1000_credits: 1_250,
    tax: { category: 'S', rate_percent: 19 },
  };
  const customer = await service.customer(0, { plan, test_clock: '2026-11-24T09:00:00Z' });
  const { body: opened } = await customer.get('/v1/account');
  expect(opened).toMatchObject({ plan, balance: 60_000, overdraft_credits: null });
  expect(spent(await customer.get(ALL_BEAUTY))).toBe(50_000);
  expect(spent(await customer.get(ALL_BRANDS))).toBe(60_000);
  expect(await balanceOf(customer)).toBe(-50_000);

  await service.moveClock(customer.accountId, '2026-12-01T00:00:00Z');
  expect(await balanceOf(customer)).toBe(60_000);
  const [closed] = await logged(customer, 'MonthClosed');
  expect(closed).toMatchObject({
    at: '2026-12-01T00:00:00.000Z',
    data: {
      month: '2026-11',
      plan,
      calls: 2,
      credits: 110_000,
      balance_before: -50_000,
      overage: 50_000,
      balance: 0,
    },
  });

  // A month without a call bills nothing; what it included is gone with it.
  await service.moveClock(customer.accountId, '2027-01-01T00:00:00Z');
  expect(await balanceOf(customer)).toBe(60_000);
  const january = (await logged(customer, 'GrantExpired', 'MonthClosed', 'CreditsGranted')).slice(
    -3,
  );
  expect(january).toMatchObject([
    { type: 'GrantExpired', data: { credits: 60_000 } },
    { type: 'MonthClosed', data: { month: '2026-12', overage: 0, balance: 0 } },
    { type: 'CreditsGranted', data: { kind: 'included', credits: 60_000, balance: 60_000 } },
  ]);
});
