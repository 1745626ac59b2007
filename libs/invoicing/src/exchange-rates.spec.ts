import { terms } from '#account/scenario.suite.js';
import { allProjections } from '#projections/projections/projections.js';
import { verifyLog } from '#projections/lane-threads/verify-log.js';
import { verifyInvoice } from '#projections/verify/verify-invoice.js';
import { itemsOf, type Answered } from '../../../test/setup/admin-stage.js';
import { adminStage } from '../../../test/setup/stages.js';
import { BUYER, SELLER, caughtUp } from '../../../test/setup/invoicing-stage.js';

const PROJECTIONS = allProjections(terms.calendar);

const stage = adminStage();

beforeAll(async () => {
  await put('/seller', { ...SELLER, tax_currency: 'EUR' });
});

async function wrongDocuments(): Promise<number> {
  const { checks } = await verifyLog(stage.pool, PROJECTIONS, terms);
  return checks.find(({ check }) => check === 'documents')?.differences ?? -1;
}

async function forgeRate(from: string, to: string): Promise<void> {
  await stage.pool.query(
    `update event set data = replace(data::text, $1, $2)::json where type = 'ExchangeRateSet'`,
    [`"${from}"`, `"${to}"`],
  );
}

const TAXED = { tax: { category: 'S', rate_percent: 20 } };
const SOLD = { credits: 1_000, kind: 'purchased', price: 12_500 };

function put(path: string, body: object): Promise<Answered> {
  return stage.ask('PUT', `/admin/v1${path}`, { body });
}

function setRate(currency: string, date: string, rate: string): Promise<Answered> {
  return put(`/exchange-rates/${currency}/${date}`, { rate, source: 'ECB' });
}

/** A customer who pays in a currency, and what the answer to a purchase says. */
async function bought(currency: string): Promise<{ id: string; sold: Answered }> {
  const id = await stage.account({ currency });
  await put(`/accounts/${id}/billing`, { ...BUYER, ...TAXED });
  return { id, sold: await stage.post(`/accounts/${id}/grants`, SOLD) };
}

async function pass(): Promise<void> {
  await caughtUp(stage);
  await stage.invoicing.pass(null, {});
}

it('a taxed invoice in another currency is held until there is a rate of the last 7 days', async () => {
  const { id, sold } = await bought('USD');
  expect(sold.json['invoice_number']).toBeNull();
  const [held] = itemsOf(await stage.get(`/invoices?account_id=${id}`));
  expect(held?.['reasons']).toEqual([
    expect.objectContaining({ party: 'document', pointer: '/tax_accounting' }),
  ]);
  await setRate('USD', '2026-11-16', '0.9');
  await setRate('USD', '2026-11-25', '0.8');
  await pass();
  expect(itemsOf(await stage.get('/invoices?status=held'))).toHaveLength(1);
  expect((await setRate('USD', '2026-11-20', '0.8652')).json).toMatchObject({
    currency: 'USD',
    tax_currency: 'EUR',
    date: '2026-11-20',
    rate: '0.8652',
    source: 'ECB',
  });
  await pass();
  const [issued] = itemsOf(await stage.get(`/invoices?account_id=${id}`));
  const number = String(issued?.['number']);
  const { json } = await stage.get(`/invoices/${number}`);
  const owed = { currency: 'EUR', rate: '0.8652', rate_date: '2026-11-20', rate_source: 'ECB' };
  expect(json).toMatchObject({ tax: 2_500, tax_accounting: { ...owed, tax: 2_163 } });
  const { text } = await stage.get(`/invoices/${number}.xml`);
  expect(text).toContain('<cbc:TaxCurrencyCode>EUR</cbc:TaxCurrencyCode>');
  expect(text).toContain('<cbc:TaxAmount currencyID="EUR">21.63</cbc:TaxAmount>');
  const cii = await stage.get(`/invoices/${number}.cii.xml`);
  expect(cii.text).toContain('<ram:TaxTotalAmount currencyID="EUR">21.63</ram:TaxTotalAmount>');

  await setRate('USD', '2026-11-20', '0.9');
  const verified = () => verifyInvoice(stage.pool, number, terms.calendar);
  expect((await verified())?.intact).toBe(true);

  const parts: number[] = [];
  for (const amount of [3_333, 3_333, 5_834]) {
    const credited = { reason: 'Agreed.', lines: [{ line: 1, amount }] };
    const note = await stage.post(`/invoices/${number}/credit-notes`, credited);
    parts.push((note.json['tax_accounting'] as { tax: number }).tax);
  }
  expect(parts.reduce((sum, tax) => sum + tax, 0)).toBe(-2_163);

  // The invoice and its credit notes, each as it was sealed and as it was numbered.
  expect(await wrongDocuments()).toBe(0);
  await forgeRate('0.8652', '0.8651');
  expect(await wrongDocuments()).toBe(8);
  await forgeRate('0.8651', '0.8652');
});

it('no rate is needed in its own currency, and none without a tax', async () => {
  expect((await bought('EUR')).sold.json['invoice_number']).toEqual(expect.any(String));
  const id = await stage.account({ currency: 'JPY' });
  const untaxed = { category: 'G', rate_percent: 0 };
  await put(`/accounts/${id}/billing`, { ...BUYER, tax: untaxed });
  const { json } = await stage.post(`/accounts/${id}/grants`, SOLD);
  const { json: invoice } = await stage.get(`/invoices/${String(json['invoice_number'])}`);
  expect(invoice).not.toHaveProperty('tax_accounting');
});

it('rates are listed by currency and date, the newest of each day', async () => {
  await setRate('CHF', '2026-11-02', '1.05');
  await setRate('CHF', '2026-11-01', '1.04');
  await setRate('CHF', '2026-11-02', '1.06');
  const first = await stage.get('/exchange-rates?currency=CHF&limit=1');
  const next = `/exchange-rates?currency=CHF&after=${String(first.json['next'])}`;
  const all = [...itemsOf(first), ...itemsOf(await stage.get(next))];
  expect(all.map(({ date, rate }) => [date, rate])).toEqual([
    ['2026-11-01', '1.04'],
    ['2026-11-02', '1.06'],
  ]);
  const events = async () =>
    (await stage.pool.query(`select from event where type = 'ExchangeRateSet'`)).rowCount;
  const before = await events();
  await setRate('CHF', '2026-11-02', '1.06');
  expect(await events()).toBe(before);
});

it.each([
  ['/exchange-rates/EUR/2026-11-01', { rate: '1.1', source: 'ECB' }, 409],
  ['/exchange-rates/USD/2026-11-01', { rate: '0', source: 'ECB' }, 400],
  ['/exchange-rates/USD/2026-11-01', { rate: '0.12345678901', source: 'ECB' }, 400],
  ['/exchange-rates/USD/2026-11-01', { rate: 1.1, source: 'ECB' }, 400],
  ['/exchange-rates/USD/2026-11-01', { rate: '1.1' }, 400],
])('PUT %s with %j is refused', async (path, body, status) => {
  expect((await put(path, body)).status).toBe(status);
});
