import type { Listing } from '#rating/resource.js';
import { allBeauty } from '#account/scenario.suite.js';
import type { AdminStage, Answered } from './admin-stage.js';

/** A plan: 19 % tax, 49.00 a month with 1,000 credits, 12.50 for 1,000 more. */
export const PLAN = {
  monthly_fee: 4_900,
  included_credits: 1_000,
  price_per_1000_credits: 1_250,
  tax: { category: 'S', rate_percent: 19 },
};

export const TOP_5: Listing = { ...allBeauty, limit: 'top5' };

export const SELLER = {
  name: 'Index GmbH',
  address: { line1: 'Ring 1', city: 'Wien', postcode: '1010', country: 'AT' },
  vat_id: 'ATU12345675',
  registration_id: 'FN 123456a',
  email: 'billing@index.example',
  iban: 'AT61 1904 3002 3457 3201',
};

export const BUYER = {
  name: 'Nails & Co',
  address: { line1: '1 High Street', city: 'Leeds', postcode: 'LS1 1AA', country: 'GB' },
  email: 'accounts@nails.example',
};

export const NOVEMBER = '2026-11-24T09:00:00Z';
export const DECEMBER = '2026-12-01T00:00:00Z';

/** Tax of what no plan taxes. */
export const NO_TAX = { category: 'O', rate_percent: 0 };

/** An account with a test clock in November, an API key, terms, and all that invoices need. */
export async function customer(stage: AdminStage, members: object = {}): Promise<string> {
  const terms = { test_clock: NOVEMBER, currency: 'EUR', plan: PLAN, ...members };
  const id = await stage.account(terms);
  await stage.post(`/accounts/${id}/api-keys`, { label: 'Production' });
  await completeParties(stage, id, terms.plan ? {} : { tax: NO_TAX });
  return id;
}

/** Fills in the billing details of an account, and the seller where there is none. */
export async function completeParties(
  stage: AdminStage,
  id: string,
  members: object = {},
): Promise<void> {
  const { json: seller } = await stage.get('/seller');
  if (seller['name'] === undefined) await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
  const path = `/admin/v1/accounts/${id}/billing`;
  const { status, text } = await stage.ask('PUT', path, { body: { ...BUYER, ...members } });
  if (status !== 200) throw new Error(text);
}

/** A first call of all beauty trends, two of the top 5, one of them a repeat: 50,045 credits. */
export async function call(stage: AdminStage, id: string): Promise<string[]> {
  const at = Date.parse(NOVEMBER);
  const calls = [
    await stage.call(id, { at }),
    await stage.call(id, { at, resource: TOP_5 }),
    await stage.call(id, { at, resource: TOP_5 }),
  ];
  return calls.map((made) => made.id);
}

export function moveClock(stage: AdminStage, id: string, now: string): Promise<Answered> {
  return stage.post(`/accounts/${id}/test-clock`, { now });
}

/** An account whose November is invoiced; answers its id, the invoice's number and its calls. */
export async function invoiced(
  stage: AdminStage,
  members: object = {},
): Promise<{ readonly id: string; readonly number: string; readonly calls: readonly string[] }> {
  const id = await customer(stage, members);
  const calls = await call(stage, id);
  const moved = await moveClock(stage, id, DECEMBER);
  if (moved.status !== 200) throw new Error(moved.text);
  const [number = ''] = await numbersOf(stage, id);
  return { id, number, calls };
}

export async function numbersOf(stage: AdminStage, id: string): Promise<string[]> {
  const { json } = await stage.get(`/invoices?account_id=${id}`);
  return (json['items'] as { number: string }[]).map(({ number }) => number);
}

/** Waits until all rows hold what stands in the log: what is due is found in several of them. */
export async function caughtUp({ log, projections }: AdminStage): Promise<void> {
  const ends = new Map((await log.ends()).map(({ lane, position }) => [lane, position]));
  for (const name of (await projections.lag()).keys()) {
    expect(await projections.catchUp(name, ends, 60_000)).toBe(true);
  }
}
