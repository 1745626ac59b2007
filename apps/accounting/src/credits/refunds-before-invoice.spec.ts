import { parse } from 'csv-parse/sync';
import { terms } from '#account/scenario.suite.js';
import { invoiceIdOf } from '#ledger/events/document-ids.js';
import { verifyInvoice } from '#ledger/verify/verify-invoice.js';
import { AdminStage, itemsOf, type Answered } from '../admin/admin-stage.suite.js';
import {
  BUYER,
  customer,
  DECEMBER,
  moveClock,
  NOVEMBER,
  numbersOf,
  PLAN,
  SELLER,
  TOP_5,
} from '../invoicing/invoicing-stage.suite.js';

type Row = Readonly<Record<string, string>>;

let stage: AdminStage;

beforeAll(async () => {
  stage = await AdminStage.open();
  await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
});

afterAll(async () => {
  expect(stage.errors).toEqual([]);
  await stage.close();
});

const PURCHASE = { credits: 1_000, kind: 'purchased', price: 12_500 };
const TAXED = { tax: { category: 'S', rate_percent: 20 } };
const MONTHLY = { ...TAXED, purchases: 'monthly' };

/** An account that has bought 1,000 credits for EUR 125.00 and 20 % tax, and its purchase. */
async function buyer(billing: object): Promise<{ id: string; grant: string; sold: Answered }> {
  const id = await customer(stage, { plan: undefined });
  await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body: { ...BUYER, ...billing } });
  const sold = await stage.post(`/accounts/${id}/grants`, PURCHASE);
  return { id, grant: String(sold.json['id']), sold };
}

/** 35 credits, which are worth EUR 4.375: 4.38. */
function use(id: string): Promise<unknown> {
  return stage.call(id, { resource: TOP_5, at: Date.parse(NOVEMBER) });
}

function voided(id: string, grant: string, body: object = {}): Promise<Answered> {
  return stage.ask('DELETE', `/admin/v1/accounts/${id}/grants/${grant}`, { body });
}

async function netOf(id: string): Promise<unknown[]> {
  const notes = itemsOf(await stage.get(`/credit-notes?account_id=${id}`));
  const invoices = itemsOf(await stage.get(`/invoices?account_id=${id}`));
  return [invoices.map(({ net }) => net), notes.map(({ net }) => net)];
}

async function eventsOf(id: string, type: string): Promise<unknown[]> {
  const events = itemsOf(await stage.get(`/accounts/${id}/events?limit=1000`));
  return events.filter((event) => event['type'] === type).map(({ data }) => data);
}

async function owed(id: string, month: string): Promise<unknown> {
  const { json } = await stage.get(`/exports/credit-liability?test=true&month=${month}`);
  const items = json['items'] as Record<string, unknown>[];
  return items.find((item) => item['account_id'] === id);
}

/** The balance of each account of the journal over two months, debits less credits. */
async function balances(id: string): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const month of ['2026-11', '2026-12']) {
    const path = `/exports/invoices?format=journal&test=true&issued_month=${month}`;
    const rows = parse((await stage.get(path)).text, { columns: true }) as Row[];
    for (const row of rows.filter(({ account_id: of }) => of === id)) {
      const { ledger_account: code = '', debit_minor: debit, credit_minor: credit } = row;
      sums[code] = (sums[code] ?? 0) + Number(debit) - Number(credit);
    }
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

describe('a purchase whose month has ended and is not invoiced yet', () => {
  /** Reverse charge needs the buyer's VAT identifier: until it is known the invoice is held. */
  const HELD = { tax: { category: 'AE', rate_percent: 0 }, purchases: 'monthly' };

  async function corrected(id: string): Promise<void> {
    await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body: { ...BUYER, ...MONTHLY } });
    await pass();
  }

  async function pass(): Promise<void> {
    const ends = new Map((await stage.log.ends()).map(({ lane, position }) => [lane, position]));
    await stage.projections.catchUp('invoices', ends, 5_000);
    await stage.invoicing.pass(null, {});
    await stage.projections.catchUp('invoices', ends, 5_000);
  }

  async function heldOf(id: string): Promise<unknown[]> {
    const held = itemsOf(await stage.get(`/invoices?account_id=${id}&status=held`));
    return held.map(({ month, net }) => [month, net]);
  }

  it('is not billed where it is voided, and its month has no invoice', async () => {
    const { id, grant } = await buyer(HELD);
    await moveClock(stage, id, DECEMBER);
    expect(await heldOf(id)).toEqual([['2026-11', 12_500]]);
    await voided(id, grant);
    expect(await eventsOf(id, 'GrantVoided')).toMatchObject([
      { credits: 1_000, left: 0, refund: 12_500, refund_by: 'no_invoice' },
    ]);
    expect(await heldOf(id)).toEqual([]);
    expect((await stage.get(`/invoices/${invoiceIdOf(id, '2026-11')}`)).status).toBe(404);
    await corrected(id);
    expect(await netOf(id)).toEqual([[], []]);
    expect(await eventsOf(id, 'CreditNoteSealed')).toEqual([]);
    expect(await balances(id)).toEqual({});
    expect(await stage.invoicing.isDue()).toBe(false);
  });

  it('is billed for what was used of it, also after its month', async () => {
    const { id, grant } = await buyer(HELD);
    await use(id);
    await moveClock(stage, id, DECEMBER);
    await stage.call(id, { resource: TOP_5, at: Date.parse(DECEMBER) });
    await voided(id, grant);
    expect(await eventsOf(id, 'GrantVoided')).toMatchObject([
      { credits: 930, refund: 11_625, refund_by: 'lower_invoice' },
    ]);
    expect(await heldOf(id)).toEqual([['2026-11', 875]]);
    await pass();
    const [listed] = itemsOf(await stage.get(`/invoices?status=held&month=2026-11&test=true`));
    expect(listed).toMatchObject({ account_id: id, net: 875 });
    await corrected(id);
    expect(await netOf(id)).toEqual([[875], []]);
    const [number = ''] = await numbersOf(stage, id);
    const { json } = await stage.get(`/invoices/${number}`);
    const [bought] = (json['lines'] as Row[]).filter(({ type }) => type === 'purchase');
    expect(bought).toMatchObject({ grant_id: grant, granted_credits: 70, amount: 875 });
    const report = await verifyInvoice(stage.pool, number, terms.calendar);
    expect(report).toMatchObject({ intact: true });
    await moveClock(stage, id, '2027-01-01T00:00:00Z');
    expect(await owed(id, '2026-11')).toMatchObject({ closing: { credits: 965, amount: 12_062 } });
    expect(await balances(id)).toEqual({ 1200: 1_050, 2200: -175, 4020: -875 });
  });

  it('is billed in full where it is forfeited', async () => {
    const { id, grant } = await buyer(HELD);
    await moveClock(stage, id, DECEMBER);
    await voided(id, grant, { refund: false });
    await corrected(id);
    expect(await netOf(id)).toEqual([[12_500], []]);
    expect(await balances(id)).toMatchObject({ 4030: -12_500 });
  });

  it('holds no later month once it is voided', async () => {
    const { id, grant } = await buyer(HELD);
    await moveClock(stage, id, DECEMBER);
    const later = await stage.post(`/accounts/${id}/grants`, { ...PURCHASE, price: 700 });
    await moveClock(stage, id, '2027-01-01T00:00:00Z');
    await voided(id, grant);
    expect(await heldOf(id)).toEqual([['2026-12', 700]]);
    await corrected(id);
    expect(await netOf(id)).toEqual([[700], []]);
    await voided(id, String(later.json['id']));
    expect(await netOf(id)).toEqual([[700], [-700]]);
  });

  it('leaves the other lines of its month to be billed', async () => {
    const id = await customer(stage, { plan: { ...PLAN, tax: HELD.tax } });
    await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body: { ...BUYER, ...HELD } });
    const grants = [await stage.post(`/accounts/${id}/grants`, PURCHASE)];
    grants.push(await stage.post(`/accounts/${id}/grants`, { ...PURCHASE, price: 700 }));
    await moveClock(stage, id, DECEMBER);
    await voided(id, String(grants[0]?.json['id']));
    expect(await heldOf(id)).toEqual([['2026-11', 5_600]]);
    await voided(id, String(grants[1]?.json['id']));
    expect(await heldOf(id)).toEqual([['2026-11', 4_900]]);
    await corrected(id);
    expect(await netOf(id)).toEqual([[4_900], []]);
    expect(await balances(id)).toMatchObject({ 1200: 5_880, 4000: -4_900 });
  });
});
