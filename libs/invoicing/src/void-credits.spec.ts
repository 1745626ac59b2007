import { idOf, itemsOf } from '../../../test/setup/admin-stage.js';
import { adminStage } from '../../../test/setup/stages.js';
import { BUYER, SELLER } from '../../../test/setup/invoicing-stage.js';

const NOW = '2026-11-26T10:00:00Z';
const TAX = { category: 'S', rate_percent: 20 };

const stage = adminStage();

beforeAll(async () => {
  await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
});

/** An account that has bought 1,000 credits for 50.00, and the invoice of that. */
async function buyer(): Promise<{ readonly id: string; readonly number: string }> {
  const id = await stage.account({ test_clock: NOW });
  const body = { ...BUYER, tax: TAX };
  await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body });
  const bought = { credits: 1_000, kind: 'purchased', price: 5_000, priority: 7 };
  const expires = { expires_at: '2027-11-26T10:00:00Z' };
  const { json } = await stage.post(`/accounts/${id}/grants`, { ...bought, ...expires });
  return { id, number: String(json['invoice_number']) };
}

async function balanceOf(id: string): Promise<unknown> {
  return (await stage.get(`/accounts/${id}`)).json['balance'];
}

async function grantsOf(id: string) {
  return itemsOf(await stage.get(`/accounts/${id}/grants`));
}

it('states the credits that go with the invoice of a purchase', async () => {
  const { id, number } = await buyer();
  const { status, json } = await stage.post(`/invoices/${number}/void`);
  expect([status, json]).toEqual([
    201,
    expect.objectContaining({ total: -6_000, credits_taken_back: 1_000, credits_kept: 0 }),
  ]);
  expect(await balanceOf(id)).toBe(0);
  const again = await stage.post(`/invoices/${number}/void`, { keep_credits: true });
  expect(again.status).toBe(409);
  expect(await balanceOf(id)).toBe(0);
});

it('leaves them as promotional credits, with their expiry and priority, where they are kept', async () => {
  const { id, number } = await buyer();
  const keep = { keep_credits: true, reason: 'Goodwill.' };
  const first = await stage.post(`/invoices/${number}/void`, keep, 'keep-1');
  expect(first.json).toMatchObject({ total: -6_000, credits_taken_back: 0, credits_kept: 1_000 });
  const replayed = await stage.post(`/invoices/${number}/void`, keep, 'keep-1');
  expect(replayed.json).toEqual(first.json);
  expect(await balanceOf(id)).toBe(1_000);
  const terms = { left: 1_000, priority: 7, expires_at: '2027-11-26T10:00:00Z', price: null };
  expect(await grantsOf(id)).toMatchObject([
    { kind: 'purchased', status: 'voided', left: 0 },
    {
      kind: 'promotional',
      status: 'active',
      ...terms,
      note: expect.stringContaining('credit note') as string,
    },
  ]);
});

it('takes or keeps the credits of a part that a credit note gives back', async () => {
  const { id, number } = await buyer();
  const part = { reason: 'Agreed.', lines: [{ line: 1, amount: 1_000 }] };
  const taken = await stage.post(`/invoices/${number}/credit-notes`, part);
  expect(taken.json).toMatchObject({ credits_taken_back: 200, credits_kept: 0 });
  const kept = await stage.post(`/invoices/${number}/credit-notes`, {
    ...part,
    keep_credits: true,
  });
  expect(kept.json).toMatchObject({ credits_taken_back: 0, credits_kept: 200 });
  expect(await balanceOf(id)).toBe(800);
});

it('refuses what has no sense or no credits left, and names why', async () => {
  const { id, number } = await buyer();
  const both = await stage.post(`/invoices/${number}/void`, { reissue: true, keep_credits: true });
  expect(both.status).toBe(400);
  expect(both.json['errors']).toMatchObject([{ pointer: '/keep_credits' }]);
  await stage.post(`/accounts/${id}/adjustments`, { credits: -300, reason: 'Taken.' });
  for (const keep_credits of [false, true]) {
    const used = await stage.post(`/invoices/${number}/void`, { keep_credits });
    expect(used.status).toBe(409);
    expect(used.json['detail']).toMatch(/At most USD 35.00 of purchase .* its 700 unused credits/);
  }
  await stage.post(`/accounts/${id}/test-clock`, { now: '2027-11-27T00:00:00Z' });
  const expired = await stage.post(`/invoices/${number}/void`, { keep_credits: true });
  expect(expired.status).toBe(409);
  expect(expired.json['detail']).toContain('its 0 unused credits');
});

it('moves no credits with a reissue, and says so', async () => {
  const { id, number } = await buyer();
  const { json } = await stage.post(`/invoices/${number}/void`, { reissue: true });
  expect(json).toMatchObject({ credits_taken_back: 0, credits_kept: 0 });
  expect(await balanceOf(id)).toBe(1_000);
});

it('keeps the credits of a closed account, and of purchases on the invoice of their month', async () => {
  const id = idOf(await stage.post('/accounts', { name: 'Monthly', test_clock: NOW }));
  const body = { ...BUYER, tax: TAX, purchases: 'monthly' };
  await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body });
  for (const credits of [100, 200]) {
    await stage.post(`/accounts/${id}/grants`, { credits, kind: 'purchased', price: credits });
  }
  await stage.post(`/accounts/${id}/test-clock`, { now: '2026-12-02T00:00:00Z' });
  const [invoice] = itemsOf(await stage.get(`/invoices?account_id=${id}`));
  await stage.post(`/accounts/${id}/close`);
  const { json } = await stage.post(`/invoices/${String(invoice?.['number'])}/void`, {
    keep_credits: true,
  });
  expect(json).toMatchObject({ credits_taken_back: 0, credits_kept: 300 });
  expect(await balanceOf(id)).toBe(300);
  expect((await grantsOf(id)).filter(({ kind }) => kind === 'promotional')).toHaveLength(2);
});

it('shows the credits whenever a credit note is read, and not in its bytes', async () => {
  const { number } = await buyer();
  const { json } = await stage.post(`/invoices/${number}/void`, { keep_credits: true });
  const path = `/credit-notes/${String(json['number'])}`;
  expect((await stage.get(path)).json).toEqual(json);
  expect((await stage.get(`${path}.json`)).json).not.toHaveProperty('credits_kept');
});

it('takes or keeps the credits of a closed account, whose purchase has an invoice of its own', async () => {
  for (const keep_credits of [false, true]) {
    const { id, number } = await buyer();
    await stage.post(`/accounts/${id}/close`);
    const { json } = await stage.post(`/invoices/${number}/void`, { keep_credits });
    const [taken, kept] = keep_credits ? [0, 1_000] : [1_000, 0];
    expect(json).toMatchObject({ credits_taken_back: taken, credits_kept: kept });
    expect(await balanceOf(id)).toBe(kept);
  }
});

it('keeps credits of a purchase of a closed period by a credit note of the present one', async () => {
  stage.now = Date.parse('2026-11-26T10:00:00Z');
  const id = idOf(await stage.post('/accounts', { name: 'Real' }));
  await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body: { ...BUYER, tax: TAX } });
  const bought = { credits: 1_000, kind: 'purchased', price: 5_000 };
  const sold = await stage.post(`/accounts/${id}/grants`, bought);
  stage.now = Date.parse('2026-12-02T10:00:00Z');
  const closed = await stage.post('/periods/2026-11/close', { reason: 'Handed over.' });
  expect(closed.json).toMatchObject({ status: 'closed' });
  const journal = async (month: string) =>
    (await stage.get(`/exports/invoices?format=journal&issued_month=${month}`)).text;
  const before = await journal('2026-11');
  const { json } = await stage.post(`/invoices/${String(sold.json['invoice_number'])}/void`, {
    keep_credits: true,
  });
  expect(json).toMatchObject({ issue_date: '2026-12-02', credits_kept: 1_000, net: -5_000 });
  expect(await balanceOf(id)).toBe(1_000);
  expect(await journal('2026-11')).toBe(before);
  expect(await journal('2026-12')).toContain(String(json['number']));
});
