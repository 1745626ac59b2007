import { Service, type Customer } from '../setup/service.js';
import { waitFor } from '../setup/wait-for.js';

const TOP_5 = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const service = Service.ofFile();

async function balance({ accountId }: Customer): Promise<number> {
  return Number((await service.admin(`/accounts/${accountId}`)).body.balance);
}

describe('an idempotency key', () => {
  it('names one call: its first answer again, once charged', async () => {
    const customer = await service.customer(1_000);
    const headers = { 'idempotency-key': 'pull-1' };
    const [first, second] = await Promise.all([
      customer.get(TOP_5, headers),
      customer.get(TOP_5, headers),
    ]);
    const later = await customer.get(TOP_5, headers);
    const ids = [first, second, later].map((answer) => answer.headers.get('call-id'));
    expect(new Set(ids).size).toBe(1);
    expect([first, second, later].map(({ body }) => body.credits_used)).toEqual([35, 35, 35]);
    expect(later.headers.get('idempotent-replayed')).toBe('true');
    expect(later.headers.get('cache-control')).toBe('no-store');
    expect(await balance(customer)).toBe(965);
  });

  it('is refused for another path, and after ten minutes of the account', async () => {
    const customer = await service.customer(1_000, { test_clock: '2026-11-24T09:00:00Z' });
    const headers = { 'idempotency-key': 'pull-2' };
    await customer.get(TOP_5, headers);
    const other = await customer.get(TOP_5.replace('us', 'fr'), headers);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency-conflict']);
    expect(other.body).toMatchObject({
      first_request: `GET ${TOP_5}`,
      first_at: '2026-11-24T09:00:00.000Z',
    });
    await service.moveClock(customer.accountId, '2026-11-24T09:10:01Z');
    const late = await customer.get(TOP_5, headers);
    expect([late.status, late.body.code]).toEqual([409, 'idempotency-key-used']);
    expect(await balance(customer)).toBe(965);
  });

  it('is not used up by a refused call', async () => {
    const customer = await service.customer(0);
    const headers = { 'idempotency-key': 'pull-3' };
    expect((await customer.get(TOP_5, headers)).status).toBe(402);
    await service.admin(`/accounts/${customer.accountId}/grants`, {
      credits: 35,
      kind: 'promotional',
    });
    expect((await customer.get(TOP_5, headers)).status).toBe(200);
    expect(await balance(customer)).toBe(0);
  });
});

describe('a conditional call', () => {
  it('is a 200 at the base rate first and a 304 at the repeat fee afterwards', async () => {
    const customer = await service.customer(1_000);
    const stranger = await service.customer(1_000);
    const etag = (await stranger.get(TOP_5)).headers.get('etag') ?? '';
    const first = await customer.get(TOP_5, { 'if-none-match': etag });
    const second = await customer.get(TOP_5, { 'if-none-match': etag });
    expect([first.status, second.status]).toEqual([200, 304]);
    expect(second.headers.get('credits-used')).toBe('10');
    expect(await balance(customer)).toBe(1_000 - 35 - 10);
  });
});

describe('a ceiling', () => {
  it('refuses a dearer call for nothing, and 10 means only if already paid', async () => {
    const customer = await service.customer(1_000);
    const headers = { 'credits-max': '10' };
    const refused = await customer.get(TOP_5, headers);
    expect([refused.status, refused.body]).toMatchObject([
      412,
      { code: 'price-above-maximum', required_credits: 35, max_credits: 10, kind: 'base' },
    ]);
    expect(await balance(customer)).toBe(1_000);
    await customer.get(TOP_5);
    expect((await customer.get(TOP_5, headers)).status).toBe(200);
  });
});

describe('an operator', () => {
  it('suspends and resumes an account, and revokes a key, at once', async () => {
    const customer = await service.customer(1_000);
    const account = `/accounts/${customer.accountId}`;
    await service.admin(`${account}/suspend`, {});
    expect((await customer.get(TOP_5)).body.code).toBe('account-suspended');
    await service.admin(`${account}/resume`, {});
    expect((await customer.get(TOP_5)).status).toBe(200);
    const { body } = await service.admin(`${account}/api-keys`);
    const [key] = body.items as { id: string }[];
    await service.admin(`${account}/api-keys/${key?.id}`, undefined, 'DELETE');
    expect((await customer.get(TOP_5)).body.code).toBe('invalid-key');
    expect(await balance(customer)).toBe(965);
  });

  it('gives a call back once', async () => {
    const customer = await service.customer(1_000);
    const callId = (await customer.get(TOP_5)).headers.get('call-id');
    const adjustments = `/accounts/${customer.accountId}/adjustments`;
    const correction = { credits: 35, reason: 'The data was late.', call_id: callId };
    expect((await service.admin(adjustments, correction)).status).toBe(201);
    expect((await service.admin(adjustments, correction)).status).toBe(409);
    expect(await balance(customer)).toBe(1_000);
  });
});

describe('a grant with an end', () => {
  it('is taken away in real time without anybody asking', async () => {
    const customer = await service.customer(0);
    const account = `/accounts/${customer.accountId}`;
    // An end that has passed once it is read is refused.
    await waitFor('a grant with an end to come', async () => {
      const expires_at = new Date(Date.now() + 2_000).toISOString();
      const grant = { credits: 100, kind: 'promotional', expires_at };
      return (await service.admin(`${account}/grants`, grant)).status === 201;
    });
    await waitFor('the expiry stands in the log', async () => {
      const { body } = await service.admin(`${account}/events`);
      return (body.items as { type: string }[]).some(({ type }) => type === 'GrantExpired');
    });
    expect(await balance(customer)).toBe(0);
  });

  it('is taken away at its moment, also when nobody calls', async () => {
    const customer = await service.customer(0, { test_clock: '2026-11-23T09:00:00Z' });
    const account = `/accounts/${customer.accountId}`;
    const expires_at = '2026-11-24T00:00:00Z';
    await service.admin(`${account}/grants`, { credits: 100, kind: 'promotional', expires_at });
    await customer.get(TOP_5);
    await service.moveClock(customer.accountId, '2026-12-24T00:00:00Z');
    expect(await balance(customer)).toBe(0);
    const { body } = await service.admin(`${account}/events`);
    const events = body.items as { type: string; at: string; data: { credits: number } }[];
    const expiry = events.find(({ type }) => type === 'GrantExpired');
    expect([expiry?.at, expiry?.data.credits]).toEqual(['2026-11-24T00:00:00.000Z', 65]);
  });
});
