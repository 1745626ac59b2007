import { parse } from 'csv-parse/sync';
import { itemsOf, type AdminStage, type Answered } from '../../../../test/setup/admin-stage.js';
import { BUYER, customer, NOVEMBER, TOP_5 } from '../../../../test/setup/invoicing-stage.js';

type Row = Readonly<Record<string, string>>;

export const PURCHASE = { credits: 1_000, kind: 'purchased', price: 12_500 };
export const TAXED = { tax: { category: 'S', rate_percent: 20 } };
export const MONTHLY = { ...TAXED, purchases: 'monthly' };

/** A test account that has bought 1,000 credits for EUR 125.00 and 20 % tax, and its purchase. */
export async function buyer(
  stage: AdminStage,
  billing: object,
): Promise<{ id: string; grant: string; sold: Answered }> {
  const id = await customer(stage, { plan: undefined });
  await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body: { ...BUYER, ...billing } });
  const sold = await stage.post(`/accounts/${id}/grants`, PURCHASE);
  return { id, grant: String(sold.json['id']), sold };
}

/** 35 credits, which are worth EUR 4.375: 4.38. */
export function use(stage: AdminStage, id: string): Promise<unknown> {
  return stage.call(id, { resource: TOP_5, at: Date.parse(NOVEMBER) });
}

export function voided(
  stage: AdminStage,
  id: string,
  grant: string,
  body: object = {},
): Promise<Answered> {
  return stage.ask('DELETE', `/admin/v1/accounts/${id}/grants/${grant}`, { body });
}

export async function netOf(stage: AdminStage, id: string): Promise<unknown[]> {
  const notes = itemsOf(await stage.get(`/credit-notes?account_id=${id}`));
  const invoices = itemsOf(await stage.get(`/invoices?account_id=${id}`));
  return [invoices.map(({ net }) => net), notes.map(({ net }) => net)];
}

export async function eventsOf(stage: AdminStage, id: string, type: string): Promise<unknown[]> {
  const events = itemsOf(await stage.get(`/accounts/${id}/events?limit=1000`));
  return events.filter((event) => event['type'] === type).map(({ data }) => data);
}

export async function owed(stage: AdminStage, id: string, month: string): Promise<unknown> {
  const { json } = await stage.get(`/exports/credit-liability?test=true&month=${month}`);
  const items = json['items'] as Record<string, unknown>[];
  return items.find((item) => item['account_id'] === id);
}

/** The balance of each account of the journal over two months, debits less credits. */
export async function balances(stage: AdminStage, id: string): Promise<Record<string, number>> {
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
