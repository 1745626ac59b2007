import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../setup/free-port.js';
import { ADMIN_TOKEN, ask, BUYER, Service, ServiceClient, type Answer } from '../setup/service.js';
import { ServiceProcess } from '../setup/service-process.js';
import { waitFor } from '../setup/wait-for.js';

const ALL_BEAUTY = '/v1/latest/cat1/trends/all/popindex/us/beauty';
const TOP_5 = '/v1/latest/cat1/trends/top5/popindex/us/beauty';

const service = Service.ofFile();

function good({ status, body, text }: Answer, expected = 200): Record<string, unknown> {
  if (status !== expected) throw new Error(text);
  return body;
}

const address = { line1: 'Ring 1', city: 'Wien', postcode: '1010', country: 'AT' };
const plan = {
  monthly_fee: 4_900,
  included_credits: 1_000,
  price_per_1000_credits: 1_250,
  tax: { category: 'S', rate_percent: 19 },
};

it('a customer signs up, calls, is invoiced, is given a part back, and pays the rest', async () => {
  const seller = { name: 'Index GmbH', address, vat_id: 'ATU12345675', email: 'a@index.example' };
  good(await service.admin('/seller', seller, 'PUT'));
  const terms = { plan, currency: 'EUR', test_clock: '2026-11-30T12:00:00Z' };
  const customer = await service.customer(0, terms);
  const buyer = { name: 'Nadja Ltd', address, email: 'nadja@example.org' };
  good(await service.admin(`/accounts/${customer.accountId}/billing`, buyer, 'PUT'));

  const first = await customer.get(ALL_BEAUTY);
  good(first);
  good(await customer.get(TOP_5));
  good(await customer.get(TOP_5));
  // 50,045 credits, 1,000 included: 49,045 at 12.50 are 613.0625; 49.00 a month; 19 % of 662.06.
  const amounts = { net: 66_206, tax: 12_579, total: 78_785 };
  expect(good(await customer.get('/v1/account/invoices/draft'))).toMatchObject(amounts);

  await service.moveClock(customer.accountId, '2026-11-30T23:59:59.999Z');
  expect(good(await customer.get('/v1/account/invoices')).items).toEqual([]);
  await service.moveClock(customer.accountId, '2026-12-01T00:00:00Z');
  const { items } = good(await customer.get('/v1/account/invoices'));
  expect(items).toMatchObject([{ month: '2026-11', issue_date: '2026-12-01', ...amounts }]);
  const [{ number = '' } = {}] = items as { number?: string }[];
  // The demo account has invoices too.
  expect(number).toMatch(/^TEST-INV-\d{6}$/);
  const invoice = `/v1/account/invoices/${number}`;
  const xml = await customer.get(`${invoice}.xml`);
  expect(xml.text).toContain(`<cbc:ID>${number}</cbc:ID>`);
  const pdf = await customer.get(`${invoice}.pdf`);
  expect([pdf.headers.get('content-type'), pdf.text.slice(0, 5)]).toEqual([
    'application/pdf',
    '%PDF-',
  ]);
  const callId = first.headers.get('call-id');
  expect(good(await customer.get(`/v1/calls/${callId}`)).invoice_line).toEqual({
    number,
    line: 1,
  });
  const behind = good(await customer.get(`${invoice}/lines/1/calls`)).items;
  expect(behind).toMatchObject([{ call_id: callId }]);

  const part = { reason: 'A slow week.', lines: [{ line: 6, amount: 900 }] };
  const note = await service.admin(`/invoices/${number}/credit-notes`, part);
  expect(good(note, 201)).toMatchObject({ number: 'TEST-CN-000001', total: -1_071 });
  const payment = { amount: 77_714, reference: number };
  const paid = await service.admin(`/invoices/${number}/payments`, payment);
  expect(good(paid, 201).state).toEqual({ status: 'paid', paid: 77_714, credited: 1_071, due: 0 });
  expect(good(await customer.get(invoice)).credit_notes).toEqual(['TEST-CN-000001']);
  const notes = good(await customer.get('/v1/account/credit-notes')).items;
  expect(notes).toMatchObject([{ number: 'TEST-CN-000001', invoice_number: number }]);

  const stranger = await service.customer(100);
  expect((await stranger.get(invoice)).status).toBe(404);
  await service.moveClock(customer.accountId, '2027-03-01T00:00:00Z');
  const year = good(await customer.get('/v1/account/invoices')).items as { month: string }[];
  expect(year.map(({ month }) => month)).toEqual(['2026-11', '2026-12', '2027-01', '2027-02']);
}, 60_000);

const peppolSeller = {
  name: 'Index GmbH',
  address,
  vat_id: 'ATU12345675',
  email: 'a@index.example',
};
const gln = (id: string) => ({ endpoint: { scheme: '0088', id } });

/** The number of invoices that are held, as the service's metrics have it. */
async function heldInvoices(): Promise<string | undefined> {
  const { text } = await ask(`${service.adminUrl}/metrics`, '');
  return /^popindex_invoices_held (\d+)$/m.exec(text)?.[1];
}

it('an invoice for the Peppol network is held until seller and buyer can be reached there', async () => {
  good(await service.admin('/seller', peppolSeller, 'PUT'));
  const tax = { category: 'S', rate_percent: 20 };
  const buyer = { ...BUYER, tax, invoice_format: 'peppol-bis-3' };
  const { accountId } = await service.customer(0, { currency: 'EUR' }, buyer);
  const billing = `/accounts/${accountId}/billing`;
  const purchase = { credits: 1_000, kind: 'purchased', price: 12_500 };
  const sold = good(await service.admin(`/accounts/${accountId}/grants`, purchase), 201);
  expect(sold).toMatchObject({ invoice_id: expect.any(String) as string, invoice_number: null });
  const invoice = `/invoices/${String(sold.invoice_id)}`;
  const listed = async () => {
    const { items } = good(await service.admin(`/invoices?account_id=${accountId}&status=held`));
    return (items as { reasons: { party: string; pointer: string }[] }[]).map(({ reasons }) =>
      reasons.map(({ party, pointer }) => party + pointer),
    );
  };
  expect(await listed()).toEqual([['seller/endpoint', 'buyer/endpoint', 'buyer/buyer_reference']]);
  expect(good(await service.admin(invoice))).toMatchObject({ number: null, total: 15_000 });
  expect((await service.admin(`${invoice}.xml`)).status).toBe(409);
  await waitFor('the metric', async () => (await heldInvoices()) === '1');

  good(await service.admin('/seller', { ...peppolSeller, ...gln('9120000000006') }, 'PUT'));
  const known = { ...buyer, ...gln('7300010000001') };
  good(await service.admin(billing, known, 'PUT'));
  await waitFor('one reason', async () => String(await listed()) === 'buyer/buyer_reference');
  good(await service.admin(billing, { ...known, buyer_reference: 'PO 4711' }, 'PUT'));
  // Not found for the moment between seal and number.
  await waitFor('the number', async () => Boolean((await service.admin(invoice)).body.number));

  const { number, total } = good(await service.admin(invoice));
  expect([number, total]).toEqual([expect.stringMatching(/^INV-\d{6}$/), 15_000]);
  const { text: xml } = await service.admin(`/invoices/${String(number)}.xml`);
  expect(xml).toContain(
    '#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0</cbc:CustomizationID>',
  );
  expect(xml).toContain(
    '<cbc:ProfileID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</cbc:ProfileID>',
  );
  expect(xml).toContain('<cbc:EndpointID schemeID="0088">7300010000001</cbc:EndpointID>');
  expect(await listed()).toEqual([]);
  await waitFor('the metric', async () => (await heldInvoices()) === '0');
}, 60_000);

/** Another process on the database of one that was killed. */
async function successor(): Promise<{ client: ServiceClient; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'popindex-invoices-'));
  const [api, admin] = [await freePort(), await freePort()];
  const settings = {
    DATABASE_URL: service.databaseUrl,
    DATA_DIR: dataDir,
    ADMIN_TOKEN,
    API_PORT: String(api),
    ACCOUNTING_PORT: String(admin),
    PORTAL_PORT: String(await freePort()),
    DEMO: 'true',
  };
  const apiUrl = `http://127.0.0.1:${api}`;
  const process = await ServiceProcess.spawn('standalone', settings, apiUrl).ready();
  const stop = async (): Promise<void> => {
    await process.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { client: new ServiceClient(apiUrl, `http://127.0.0.1:${admin}`), stop };
}

it('a service that is killed while it issues invoices is followed by one that goes on, once each', async () => {
  const customers = await Promise.all(
    Array.from({ length: 8 }, () =>
      service.customer(0, { plan, test_clock: '2026-11-30T12:00:00Z' }),
    ),
  );
  for (const customer of customers) good(await customer.get(TOP_5));
  const moves = customers.map(({ accountId }) =>
    service.moveClock(accountId, '2027-01-01T00:00:00Z').catch(() => undefined),
  );
  // Somewhere between the first seal and the last number.
  await Promise.race(moves);
  await service.process.stop('SIGKILL');
  await Promise.all(moves);
  const { client, stop } = await successor();
  try {
    for (const { accountId } of customers) {
      await client.moveClock(accountId, '2027-01-01T00:00:01Z');
      // What the worker is sealing at this moment is numbered, and listed, a moment later.
      await waitFor('each month has its invoice', async () => {
        const { items } = good(await client.admin(`/invoices?account_id=${accountId}`));
        const months = (items as { month: string }[]).map(({ month }) => month);
        return months.join() === '2026-11,2026-12';
      });
    }
    const { items } = good(await client.admin('/invoices?limit=1000'));
    const numbers = (items as { number: string; month: string }[])
      .filter(({ number }) => number.startsWith('TEST-'))
      .map(({ number }) => Number(number.slice(-6)));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(numbers.length).toBeGreaterThanOrEqual(2 * customers.length);
  } finally {
    await stop();
  }
}, 120_000);
