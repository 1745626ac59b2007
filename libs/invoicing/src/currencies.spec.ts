import { randomUUID } from 'node:crypto';
import { openAccount } from '#account/scenario.suite.js';
import type { Answered } from '../../../test/setup/admin-stage.js';
import { adminStage } from '../../../test/setup/stages.js';
import { BUYER, SELLER } from '../../../test/setup/invoicing-stage.js';

const stage = adminStage();

function put(path: string, body: object): Promise<Answered> {
  return stage.ask('PUT', `/admin/v1${path}`, { body });
}

/** The number of the invoice of a purchase of 123.45, taxed at 20 percent. */
async function sold(accountId: string, billing: object = {}): Promise<string> {
  const tax = { category: 'S', rate_percent: 20 };
  await put(`/accounts/${accountId}/billing`, { ...BUYER, tax, ...billing });
  const grant = { credits: 1_000, kind: 'purchased', price: 12_345 };
  const { json } = await stage.post(`/accounts/${accountId}/grants`, grant);
  return String(json['invoice_number']);
}

/** An account that was opened when a currency was still in force. */
async function openedBefore(currency: string): Promise<string> {
  const accountId = randomUUID();
  await stage.accounting.submit({
    accountId,
    callId: randomUUID(),
    isRetry: false,
    notAfter: stage.now + 10_000,
    command: openAccount({ currency }),
  });
  return accountId;
}

describe('tax that is owed in a currency of three decimals', () => {
  beforeAll(async () => {
    await put('/seller', { ...SELLER, tax_currency: 'KWD' });
    await put('/exchange-rates/EUR/2026-11-24', { rate: '0.3561', source: 'ECB' });
  });

  it('is stated to the minor unit, and in no XML, for the reason that is given', async () => {
    const number = await sold(await stage.account({ currency: 'EUR' }));
    const { json } = await stage.get(`/invoices/${number}`);
    expect(json).toMatchObject({ tax: 2_469, tax_accounting: { currency: 'KWD', tax: 8_792 } });
    expect((await stage.get(`/invoices/${number}.csv`)).status).toBe(200);
    for (const format of ['xml', 'cii.xml']) {
      const answer = await stage.get(`/invoices/${number}.${format}`);
      expect(answer.status).toBe(409);
      expect(answer.text).toContain('KWD has 3 decimals; the standard takes 2.');
      expect(answer.text).toContain('/tax_accounting/currency');
    }
  });

  it('holds an invoice whose format is an XML', async () => {
    const contact = { name: 'Accounting', phone: '+43 1 123456' };
    await put('/seller', { ...SELLER, contact, tax_currency: 'KWD' });
    const id = await stage.account({ currency: 'EUR' });
    const format = { invoice_format: 'xrechnung-3.0', buyer_reference: '04011000-12345-03' };
    expect(await sold(id, format)).toBe('null');
    const { text } = await stage.get(`/invoices?account_id=${id}`);
    expect(text).toContain('"pointer":"/invoice_format"');
  });

  it('is shown by the draft before', async () => {
    const id = await stage.account({ currency: 'EUR', plan: PLAN_OF_20 });
    await put(`/accounts/${id}/billing`, BUYER);
    const { text } = await stage.get(`/accounts/${id}/invoices/draft`);
    expect(text).toContain('/tax_accounting/currency');
  });
});

const PLAN_OF_20 = {
  monthly_fee: 4_900,
  included_credits: 1_000,
  price_per_1000_credits: 1_250,
  tax: { category: 'S', rate_percent: 20 },
};

it.each(['XYZ', 'HRK', 'XXX', 'XAU', 'eur', 'EURO', ''])(
  'neither account nor seller is in %p',
  async (currency) => {
    expect((await stage.post('/accounts', { name: 'A', currency })).status).toBe(400);
    const { status, text } = await put('/seller', { ...SELLER, tax_currency: currency });
    expect([status, text]).toEqual([400, expect.stringContaining('an ISO 4217 code in force')]);
  },
);

it('a currency that came into force lately is taken', async () => {
  for (const currency of ['VED', 'XCG', 'SLE']) {
    expect((await stage.post('/accounts', { name: 'A', currency })).status).toBe(201);
  }
});

it('an account keeps a currency that was withdrawn since, and its documents but the XML', async () => {
  await put('/seller', { ...SELLER, tax_currency: 'EUR' });
  const id = await openedBefore('HRK');
  expect((await stage.get(`/accounts/${id}`)).json).toMatchObject({ currency: 'HRK' });
  expect((await put('/exchange-rates/XYZ/2026-11-24', RATE)).status).toBe(400);
  expect((await put('/exchange-rates/HRK/2026-11-24', RATE)).status).toBe(200);
  const number = await sold(id);
  const { json } = await stage.get(`/invoices/${number}`);
  expect(json).toMatchObject({ currency: 'HRK', tax_accounting: { currency: 'EUR', tax: 328 } });
  const { status, text } = await stage.get(`/invoices/${number}.xml`);
  expect(status).toBe(409);
  expect(text).toContain('HRK is not on the standard');
});

const RATE = { rate: '0.1327228', source: 'ECB' };
