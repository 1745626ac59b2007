import { dataUrl, signPng } from '#invoice-documents/images/sample-images.suite.js';
import { adminStage } from '../../../test/setup/stages.js';
import { BUYER, SELLER } from '../../../test/setup/invoicing-stage.js';

const LOGO = dataUrl(signPng(20, 10));

const stage = adminStage();

const put = (path: string, body: object, headers: Record<string, string> = {}, key?: string) =>
  stage.ask('PUT', `/admin/v1${path}`, { body, headers, ...(key !== undefined && { key }) });

describe('the seller', () => {
  it('is nothing at first, then what was put, as a whole', async () => {
    const nothing = await stage.get('/seller');
    expect([nothing.json, nothing.headers['etag']]).toEqual([{}, '"0"']);
    const kept = { ...SELLER, iban: 'AT611904300234573201', payment_days: 14 };
    const first = await put('/seller', SELLER);
    expect([first.json, first.headers['etag']]).toEqual([kept, '"1"']);
    expect((await stage.get('/seller')).json).toEqual(kept);
    const { vat_id: _vat, ...without } = SELLER;
    const second = await put('/seller', { ...without, payment_days: 30 }, { 'if-match': '"1"' });
    expect(second.headers['etag']).toBe('"2"');
    expect((await stage.get('/seller')).json).not.toHaveProperty('vat_id');
    const late = await put('/seller', SELLER, { 'if-match': '"1"' });
    expect([late.status, late.json['code']]).toEqual([412, 'precondition-failed']);
  });

  it('has a logo, a colour and a text about payments, which are given back as they were put', async () => {
    const body = { ...SELLER, logo: LOGO, color: '#1F4E79', remittance: 'Bank: Erste Bank' };
    expect((await put('/seller', body)).status).toBe(200);
    const { json, headers } = await stage.get('/seller');
    expect(json).toMatchObject({ logo: LOGO, color: '#1F4E79', remittance: 'Bank: Erste Bank' });
    expect(json).not.toHaveProperty('logo_sha256');
    expect((await put('/seller', body)).headers['etag']).toBe(headers['etag']);
    await put('/seller', SELLER);
    expect((await stage.get('/seller')).json).not.toHaveProperty('logo');
  });

  it('is changed once under a key', async () => {
    const body = { ...SELLER, name: 'Once GmbH' };
    const first = await put('/seller', body, {}, 'once');
    await put('/seller', { ...SELLER, name: 'Later GmbH' });
    const again = await put('/seller', body, {}, 'once');
    expect([again.json, again.headers['idempotent-replayed']]).toEqual([first.json, 'true']);
    expect((await stage.get('/seller')).json['name']).toBe('Later GmbH');
  });
});

describe('billing details', () => {
  it("are the account's name at first, then what was put", async () => {
    const id = await stage.account();
    const nothing = await stage.get(`/accounts/${id}/billing`);
    expect(nothing.json).toEqual({ name: 'Nails & Co' });
    const tag = { 'if-match': String(nothing.headers['etag']) };
    await stage.post(`/accounts/${id}/suspend`);
    const buyer = {
      ...BUYER,
      buyer_reference: '04011000-1234512345-06',
      contact: { name: 'Nadia Nail', phone: '+44 20 1234' },
      endpoint: { scheme: '0088', id: '5790000436057' },
      invoice_format: 'peppol-bis-3',
      language: 'de',
    };
    const made = await put(`/accounts/${id}/billing`, buyer, tag);
    expect(made.json).toEqual(buyer);
    const late = await put(`/accounts/${id}/billing`, BUYER, tag);
    expect(late.status).toBe(412);
    expect(late.json['detail']).toContain(`its ETag is ${String(made.headers['etag'])} `);
    expect((await stage.get(`/accounts/${id}/billing`)).json).toEqual(buyer);
    const same = await put(`/accounts/${id}/billing`, buyer);
    expect(same.headers['etag']).toBe(made.headers['etag']);
    const { text } = await stage.get(`/accounts/${id}/events`);
    expect(text).toContain('BillingDetailsChanged');
    expect(text).not.toContain('High Street');
  });

  it('say how months without a plan are taxed, as long as they say it', async () => {
    const id = await stage.account();
    const path = `/accounts/${id}/billing`;
    const taxed = { ...BUYER, tax: { category: 'S', rate_percent: 20 } };
    const first = await put(path, taxed);
    expect(first.json).toEqual(taxed);
    expect((await put(path, taxed)).headers['etag']).toBe(first.headers['etag']);
    const other = { ...BUYER, tax: { category: 'E', rate_percent: 0, reason: 'A school' } };
    expect((await put(path, other)).headers['etag']).not.toBe(first.headers['etag']);
    expect((await stage.get(path)).json).toEqual(other);
    await put(path, BUYER);
    expect((await stage.get(path)).json).toEqual(BUYER);
  });

  it.each([
    { line1: '8 Queen’s Road', country: 'HK' },
    { line1: 'Villa 7', city: 'Dubai', country: 'AE' },
    { line1: '1 Main Street', city: 'Dublin', country: 'IE' },
    { line1: '1 Raffles Place', postcode: '048616', country: 'SG' },
    { line1: '500 Congress Ave', city: 'Austin', postcode: '78701', region: 'TX', country: 'US' },
  ])('have the parts of an address that its country has: %j', async (address) => {
    const path = `/accounts/${await stage.account()}/billing`;
    const buyer = { ...BUYER, address };
    expect((await put(path, buyer)).json).toEqual(buyer);
    expect((await stage.get(path)).json).toEqual(buyer);
    expect((await put('/seller', { ...SELLER, address })).json).toMatchObject({ address });
  });

  it('are erased with the account', async () => {
    const id = await stage.account();
    await put(`/accounts/${id}/billing`, BUYER);
    await stage.post(`/accounts/${id}/close`);
    await stage.post(`/accounts/${id}/erase`);
    expect((await stage.get(`/accounts/${id}/billing`)).json).toEqual({ name: '' });
    expect((await put(`/accounts/${id}/billing`, BUYER)).status).toBe(409);
  });
});

it.each<[string, object, string[]]>([
  ['/seller', {}, ['/name', '/address', '/email']],
  [
    '/seller',
    { ...SELLER, iban: 'AT611904300234573202', vat_id: '12', email: 'x', payment_days: -1 },
    ['/vat_id', '/email', '/iban', '/payment_days'],
  ],
  ['/seller', { ...SELLER, vat_id: 'ATU12345678' }, ['/vat_id']],
  ['/accounts/{id}/billing', { ...BUYER, vat_id: 'DE12345678' }, ['/vat_id']],
  ['/seller', { ...SELLER, address: { ...SELLER.address, country: 'at' } }, ['/address/country']],
  ['/seller', { ...SELLER, logo: 'x', color: 'red', slogan: 'x' }, ['/logo', '/color', '/slogan']],
  ['/accounts/{id}/billing', { ...BUYER, language: 'it' }, ['/language']],
  ['/seller', { ...SELLER, bic: 'X', contact: { fax: '1' } }, ['/bic', '/contact/fax']],
  [
    '/accounts/{id}/billing',
    { ...BUYER, endpoint: { scheme: '0088', id: '1234567890123' }, invoice_format: 'pdf' },
    ['/endpoint/id', '/invoice_format'],
  ],
  [
    '/accounts/{id}/billing',
    { ...BUYER, endpoint: { scheme: '9', id: '1' } },
    ['/endpoint/scheme'],
  ],
  ['/accounts/{id}/billing', { ...BUYER, name: '\u0000', city: 'x' }, ['/name', '/city']],
  [
    '/accounts/{id}/billing',
    { ...BUYER, tax: { category: 'O', rate_percent: 20, rate: 1 } },
    ['/tax/rate'],
  ],
  [
    '/accounts/{id}/billing',
    { ...BUYER, tax: { category: 'O', rate_percent: 20 } },
    ['/tax/rate_percent'],
  ],
  ['/accounts/{id}/billing', { ...BUYER, address: {} }, ['/address/line1', '/address/city']],
  ['/accounts/{id}/billing', { ...BUYER, address: [] }, ['/address']],
  [
    '/accounts/{id}/billing',
    { ...BUYER, email: 'x', address: { line1: '', country: 'US' } },
    ['/address/line1', '/address/city', '/address/postcode', '/email'],
  ],
  [
    '/seller',
    { ...SELLER, address: { line1: '1 Road', city: ' ', postcode: '', region: '', country: 'HK' } },
    ['/address/city', '/address/postcode', '/address/region'],
  ],
])('PUT %s reports all faults at once: %j', async (path, body, pointers) => {
  const id = await stage.account();
  const { status, json } = await put(path.replace('{id}', id), body);
  expect([status, json['code']]).toEqual([400, 'invalid-body']);
  const found = (json['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);
  for (const pointer of pointers) expect(found).toContain(pointer);
});
