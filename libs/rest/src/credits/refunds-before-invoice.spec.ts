import { terms } from '#account/scenario.suite.js';
import { invoiceIdOf } from '#projections/events/document-ids.js';
import { verifyInvoice } from '#projections/verify/verify-invoice.js';
import { itemsOf } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import {
  BUYER,
  caughtUp,
  customer,
  DECEMBER,
  moveClock,
  numbersOf,
  PLAN,
  SELLER,
  TOP_5,
} from '../../../../test/setup/invoicing-stage.js';
import {
  balances,
  buyer,
  eventsOf,
  netOf,
  owed,
  PURCHASE,
  use,
  voided,
  MONTHLY,
} from './refunds-stage.suite.js';

type Row = Readonly<Record<string, string>>;

const stage = adminStage();

beforeAll(async () => {
  await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
});

describe('a purchase whose month has ended and is not invoiced yet', () => {
  /** Reverse charge needs the buyer's VAT identifier: until it is known the invoice is held. */
  const HELD = { tax: { category: 'AE', rate_percent: 0 }, purchases: 'monthly' };

  async function corrected(id: string): Promise<void> {
    await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body: { ...BUYER, ...MONTHLY } });
    await pass();
  }

  async function pass(): Promise<void> {
    await caughtUp(stage);
    await stage.invoicing.pass(null, {});
    await caughtUp(stage);
  }

  async function heldOf(id: string): Promise<unknown[]> {
    const held = itemsOf(await stage.get(`/invoices?account_id=${id}&status=held`));
    return held.map(({ month, net }) => [month, net]);
  }

  it('is not billed where it is voided, and its month has no invoice', async () => {
    const { id, grant } = await buyer(stage, HELD);
    await moveClock(stage, id, DECEMBER);
    expect(await heldOf(id)).toEqual([['2026-11', 12_500]]);
    await voided(stage, id, grant);
    expect(await eventsOf(stage, id, 'GrantVoided')).toMatchObject([
      { credits: 1_000, left: 0, refund: 12_500, refund_by: 'no_invoice' },
    ]);
    expect(await heldOf(id)).toEqual([]);
    expect((await stage.get(`/invoices/${invoiceIdOf(id, '2026-11')}`)).status).toBe(404);
    await corrected(id);
    expect(await netOf(stage, id)).toEqual([[], []]);
    expect(await eventsOf(stage, id, 'CreditNoteSealed')).toEqual([]);
    expect(await balances(stage, id)).toEqual({});
    expect(await stage.invoicing.toDo.hasAny()).toBe(false);
  });

  it('is billed for what was used of it, also after its month', async () => {
    const { id, grant } = await buyer(stage, HELD);
    await use(stage, id);
    await moveClock(stage, id, DECEMBER);
    await stage.call(id, { resource: TOP_5, at: Date.parse(DECEMBER) });
    await voided(stage, id, grant);
    expect(await eventsOf(stage, id, 'GrantVoided')).toMatchObject([
      { credits: 930, refund: 11_625, refund_by: 'lower_invoice' },
    ]);
    expect(await heldOf(id)).toEqual([['2026-11', 875]]);
    await pass();
    const [listed] = itemsOf(await stage.get(`/invoices?status=held&month=2026-11&test=true`));
    expect(listed).toMatchObject({ account_id: id, net: 875 });
    await corrected(id);
    expect(await netOf(stage, id)).toEqual([[875], []]);
    const [number = ''] = await numbersOf(stage, id);
    const { json } = await stage.get(`/invoices/${number}`);
    const [bought] = (json['lines'] as Row[]).filter(({ type }) => type === 'purchase');
    expect(bought).toMatchObject({ grant_id: grant, granted_credits: 70, amount: 875 });
    const report = await verifyInvoice(stage.pool, number, terms.calendar);
    expect(report).toMatchObject({ intact: true });
    await moveClock(stage, id, '2027-01-01T00:00:00Z');
    expect(await owed(stage, id, '2026-11')).toMatchObject({
      closing: { credits: 965, amount: 12_062 },
    });
    expect(await balances(stage, id)).toEqual({ 1200: 1_050, 2200: -175, 4020: -875 });
  });

  it('is billed in full where it is forfeited', async () => {
    const { id, grant } = await buyer(stage, HELD);
    await moveClock(stage, id, DECEMBER);
    await voided(stage, id, grant, { refund: false });
    await corrected(id);
    expect(await netOf(stage, id)).toEqual([[12_500], []]);
    expect(await balances(stage, id)).toMatchObject({ 4030: -12_500 });
  });

  it('holds no later month once it is voided', async () => {
    const { id, grant } = await buyer(stage, HELD);
    await moveClock(stage, id, DECEMBER);
    const later = await stage.post(`/accounts/${id}/grants`, { ...PURCHASE, price: 700 });
    await moveClock(stage, id, '2027-01-01T00:00:00Z');
    await voided(stage, id, grant);
    expect(await heldOf(id)).toEqual([['2026-12', 700]]);
    await corrected(id);
    expect(await netOf(stage, id)).toEqual([[700], []]);
    await voided(stage, id, String(later.json['id']));
    expect(await netOf(stage, id)).toEqual([[700], [-700]]);
  });

  it('leaves the other lines of its month to be billed', async () => {
    const id = await customer(stage, { plan: { ...PLAN, tax: HELD.tax } });
    await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body: { ...BUYER, ...HELD } });
    const grants = [await stage.post(`/accounts/${id}/grants`, PURCHASE)];
    grants.push(await stage.post(`/accounts/${id}/grants`, { ...PURCHASE, price: 700 }));
    await moveClock(stage, id, DECEMBER);
    await voided(stage, id, String(grants[0]?.json['id']));
    expect(await heldOf(id)).toEqual([['2026-11', 5_600]]);
    await voided(stage, id, String(grants[1]?.json['id']));
    expect(await heldOf(id)).toEqual([['2026-11', 4_900]]);
    await corrected(id);
    expect(await netOf(stage, id)).toEqual([[4_900], []]);
    expect(await balances(stage, id)).toMatchObject({ 1200: 5_880, 4000: -4_900 });
  });
});
