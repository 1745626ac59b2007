import { purchaseInvoiceIdOf, invoiceIdOf } from '#projections/events/document-ids.js';
import { countHeld } from '#projections/invoices/held-invoices.js';
import { idOf, itemsOf, type Answered } from '../../../test/setup/admin-stage.js';
import { adminStageOfEachTest } from '../../../test/setup/stages.js';
import {
  BUYER,
  caughtUp,
  customer,
  DECEMBER,
  moveClock,
  PLAN,
  SELLER,
} from '../../../test/setup/invoicing-stage.js';

const stage = adminStageOfEachTest();

const TAXED = { tax: { category: 'S', rate_percent: 20 } };
const SOLD = { credits: 1_000, kind: 'purchased', price: 12_500 };

function put(path: string, body: object): Promise<Answered> {
  return stage.ask('PUT', `/admin/v1${path}`, { body });
}

const pointersOf = (reasons: unknown) =>
  (reasons as { party: string; pointer: string }[]).map(
    ({ party, pointer }) => `${party}${pointer}`,
  );

/** As the worker does once it knows what was changed. */
async function pass(): Promise<void> {
  await caughtUp(stage);
  await stage.invoicing.pass(null, {});
}

describe('a purchase whose buyer is not known', () => {
  it('is held, and issued once the facts are there', async () => {
    const id = await stage.account({ currency: 'EUR' });
    await put('/seller', SELLER);
    const sold = await stage.post(`/accounts/${id}/grants`, SOLD);
    const documentId = purchaseInvoiceIdOf(id, idOf(sold));
    expect(sold.json).toMatchObject({ invoice_id: documentId, invoice_number: null });
    const held = {
      number: null,
      id: documentId,
      net: 12_500,
      state: { status: 'held', paid: 0, credited: 0, due: 0 },
    };
    for (const query of ['', `?account_id=${id}`, '?status=held', '?status=held&month=2026-11']) {
      const [listed, ...others] = itemsOf(await stage.get(`/invoices${query}`));
      expect(listed).toMatchObject(held);
      expect(others).toEqual([]);
    }
    expect(itemsOf(await stage.get('/invoices?status=issued'))).toEqual([]);
    expect(itemsOf(await stage.get('/invoices?status=held&test=true'))).toEqual([]);
    const { json } = await stage.get(`/invoices/${documentId}`);
    expect(json).toMatchObject({ ...held, lines: [{ type: 'purchase', amount: 12_500 }] });
    expect(pointersOf(json['reasons'])).toEqual([
      'buyer/address/line1',
      'buyer/address/city',
      'buyer/address/country',
      'buyer/tax',
    ]);
    const bytes = await stage.get(`/invoices/${documentId}.pdf`);
    expect([bytes.status, bytes.json['missing']]).toEqual([409, json['reasons']]);
    expect(await countHeld(stage.pool)).toBe(1);

    await put(`/accounts/${id}/billing`, { ...BUYER, ...TAXED });
    await pass();
    const [issued] = itemsOf(await stage.get(`/invoices?account_id=${id}`));
    expect(issued).toMatchObject({ number: 'INV-000001', id: documentId, total: 15_000 });
    expect((await stage.get(`/invoices/${documentId}`)).json['number']).toBe('INV-000001');
    expect(itemsOf(await stage.get('/invoices?status=held'))).toEqual([]);
    expect(await countHeld(stage.pool)).toBe(0);
  });

  it('is issued without a postcode where the country has none, unless a format asks', async () => {
    const id = await stage.account({ currency: 'EUR' });
    await put('/seller', { ...SELLER, contact: { name: 'Accounting', phone: '+43 1 234567' } });
    const hongKong = {
      ...BUYER,
      ...TAXED,
      address: { line1: '8 Queen’s Road Central', country: 'HK' },
      buyer_reference: 'Marketing',
      invoice_format: 'xrechnung-3.0',
    };
    expect((await put(`/accounts/${id}/billing`, hongKong)).json).toEqual(hongKong);
    const { json } = await stage.post(`/accounts/${id}/grants`, SOLD);
    const held = await stage.get(`/invoices/${String(json['invoice_id'])}`);
    const asked = ['buyer/address/city', 'buyer/address/postcode'];
    expect(pointersOf(held.json['reasons'])).toEqual(asked);
    await put(`/accounts/${id}/billing`, { ...hongKong, invoice_format: 'en16931' });
    await pass();
    const xml = await stage.get('/invoices/INV-000001.xml');
    expect([xml.status, xml.text]).toEqual([
      200,
      expect.not.stringContaining('IdentificationCode>GB'),
    ]);
    expect(xml.text).toContain('<cbc:IdentificationCode>HK</cbc:IdentificationCode>');
    expect(xml.text.match(/<cbc:PostalZone>/g)).toHaveLength(1);
  });

  it('is not looked at again until a fact changes', async () => {
    const id = await stage.account({ currency: 'EUR' });
    await stage.post(`/accounts/${id}/grants`, SOLD);
    await pass();
    expect(await stage.invoicing.toDo.hasAny()).toBe(false);
    await put('/seller', SELLER);
    await caughtUp(stage);
    expect(await stage.invoicing.toDo.hasAny()).toBe(true);
    await pass();
    expect(await stage.invoicing.toDo.hasAny()).toBe(false);
  });

  it('names no invoice once it is voided before it was issued', async () => {
    const id = await stage.account({ currency: 'EUR' });
    const grant = idOf(await stage.post(`/accounts/${id}/grants`, SOLD));
    await stage.ask('DELETE', `/admin/v1/accounts/${id}/grants/${grant}`, {});
    const [listed] = itemsOf(await stage.get(`/accounts/${id}/grants`));
    expect(listed).toMatchObject({ id: grant, invoice_id: null, invoice_number: null });
    await pass();
    expect(itemsOf(await stage.get('/invoices?status=held'))).toEqual([]);
    const gone = await stage.get(`/invoices/${purchaseInvoiceIdOf(id, grant)}`);
    expect(gone.status).toBe(404);
  });
});

describe('a month of a test account', () => {
  it('is held with those after it, and all are issued in their order', async () => {
    await put('/seller', SELLER);
    const reverse = { category: 'AE', rate_percent: 0 };
    const id = await customer(stage, { plan: { ...PLAN, tax: reverse } });
    await moveClock(stage, id, '2027-01-10T00:00:00Z');
    const items = itemsOf(await stage.get(`/invoices?account_id=${id}`));
    expect(items.map(({ month, reasons }) => [month, pointersOf(reasons)])).toEqual([
      ['2026-11', ['buyer/vat_id']],
      ['2026-12', ['buyer/vat_id', 'document/month']],
    ]);
    expect(items[0]?.['id']).toBe(invoiceIdOf(id, '2026-11'));
    const first = await stage.get('/invoices?status=held&limit=1');
    const next = await stage.get(`/invoices?status=held&after=${String(first.json['next'])}`);
    expect(
      itemsOf(first)
        .concat(itemsOf(next))
        .map(({ month }) => month),
    ).toEqual(['2026-11', '2026-12']);
    await put(`/accounts/${id}/billing`, { ...BUYER, vat_id: 'GB980780684' });
    for (let at = 0; at < 3; at++) await pass();
    const issued = itemsOf(await stage.get(`/invoices?account_id=${id}`));
    expect(issued.map(({ number, month, issue_date }) => [number, month, issue_date])).toEqual([
      ['TEST-INV-000001', '2026-11', '2027-01-10'],
      ['TEST-INV-000002', '2026-12', '2027-01-10'],
    ]);
  });

  it('is taxed as the billing details say, whatever the plan says', async () => {
    const id = await customer(stage);
    await put(`/accounts/${id}/billing`, { ...BUYER, ...TAXED });
    await moveClock(stage, id, DECEMBER);
    const [issued] = itemsOf(await stage.get(`/invoices?account_id=${id}`));
    expect(issued).toMatchObject({ net: 4_900, tax: 980 });
  });
});

it('a month with a held invoice is not closed, and it is not in the receivables', async () => {
  await put('/seller', SELLER);
  const id = await stage.account({ currency: 'EUR' });
  await stage.post(`/accounts/${id}/grants`, SOLD);
  stage.now = Date.parse('2026-12-01T00:05:00Z');
  const refused = await stage.post('/periods/2026-11/close', { reason: 'Filed.' });
  expect([refused.status, refused.json['detail']]).toEqual([
    409,
    expect.stringContaining('GET /invoices?status=held'),
  ]);
  const booked = async (): Promise<string[]> => {
    const { text } = await stage.get('/exports/invoices?format=journal&issued_month=2026-12');
    return text.split('\r\n').filter((line) => line.includes(',1200,'));
  };
  expect(await booked()).toEqual([]);
  const { status } = await put(`/accounts/${id}/billing`, { ...BUYER, ...TAXED });
  expect(status).toBe(200);
  await pass();
  expect(await booked()).toHaveLength(1);
  expect((await stage.post('/periods/2026-11/close', { reason: 'Filed.' })).status).toBe(200);
});

it('a later held purchase does not keep an earlier month open', async () => {
  await put('/seller', SELLER);
  await stage.account({ currency: 'EUR' });
  stage.now = Date.parse('2026-12-02T00:05:00Z');
  const id = await stage.account({ currency: 'EUR' });
  await stage.post(`/accounts/${id}/grants`, SOLD);
  expect((await stage.post('/periods/2026-11/close', { reason: 'Filed.' })).status).toBe(200);
});
