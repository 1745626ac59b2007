import { parse } from 'csv-parse/sync';
import { datevBalances, readDatev } from '#invoice-rules/datev-reader.suite.js';
import type { Answered } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import { BUYER, customer, SELLER, TOP_5 } from '../../../../test/setup/invoicing-stage.js';
import { withAccounts } from './journal-format.js';

type Row = Readonly<Record<string, string>>;

const JOURNAL = '/exports/invoices?format=journal&issued_month=';

const stage = adminStage();
let planned: string;

/** A customer with a plan, a purchase and a payment. */
beforeAll(async () => {
  stage.now = Date.parse('2025-11-24T09:00:00Z');
  const seller = { ...SELLER, breakage_percent: 5, ledger_accounts: { bank: '1000' } };
  await stage.ask('PUT', '/admin/v1/seller', { body: seller });
  planned = await customer(stage, { test_clock: undefined });
  const body = { ...BUYER, name: '=cmd()', vat_id: 'ATU12345675' };
  await stage.ask('PUT', `/admin/v1/accounts/${planned}/billing`, { body });
  const bought = { credits: 1_000, kind: 'purchased', price: 12_500, priority: 1 };
  await stage.post(`/accounts/${planned}/grants`, bought);
  await stage.call(planned);
  await stage.call(planned, { resource: TOP_5 });
  stage.now = Date.parse('2025-12-02T10:00:00Z');
  await stage.post('/invoice-runs', { month: '2025-11', account_id: planned });
  await stage.post('/invoices/INV-000002/credit-notes', { reason: 'Agreed.' });
  const payment = { amount: 5_000, date: '2025-12-01', reference: 'SEPA 2' };
  await stage.post('/invoices/INV-000001/payments', payment);
});

function rowsOf({ status, text }: Answered): Row[] {
  if (status !== 200) throw new Error(text);
  return parse(text, { columns: true }) as Row[];
}

it('names customer, tax code and what a person knows a booking by', async () => {
  const body = { external_id: '10001' };
  await stage.ask('PATCH', `/admin/v1/accounts/${planned}`, { body });
  const rows = [
    ...rowsOf(await stage.get(`${JOURNAL}2025-11`)),
    ...rowsOf(await stage.get(`${JOURNAL}2025-12`)),
  ];
  const own = rows.filter((row) => row['account_id'] === planned);
  expect([...new Set(own.map((row) => row['customer_number']))]).toEqual(['10001']);
  expect([...new Set(own.map((row) => row['customer_name']))]).toEqual(["'=cmd()"]);
  const codes = own.map((row) => [row['ledger'], row['tax_category'], row['tax_rate_percent']]);
  expect(codes).toContainEqual(['fee_revenue', 'S', '19']);
  expect(codes).toContainEqual(['tax_payable', 'S', '19']);
  expect(codes).toContainEqual(['receivables', '', '']);
  const paid = own.find((row) => row['ledger'] === 'bank');
  expect(paid).toMatchObject({ document: 'INV-000001', reference: 'SEPA 2' });
  const sale = rows.find((row) => row['ledger'] === 'deferred_revenue');
  expect(sale).toMatchObject({ document: 'INV-000001', tax_category: 'S' });
  expect(sale?.['document_id']).toMatch(/^[0-9a-f-]{36}$/);
});

it('has the codes of the seller, and those of the request before them', async () => {
  const chart = { receivables: '1400', bank: '1800', contract_assets: '1490' };
  const body = { ...SELLER, ledger_accounts: chart };
  await stage.ask('PUT', '/admin/v1/seller', { body });
  const rows = rowsOf(await stage.get(`${JOURNAL}2025-12&bank=1810`));
  const codes = new Set(rows.map((row) => row['ledger_account']));
  expect(codes.has('1400') && codes.has('1490') && codes.has('1810')).toBe(true);
  expect(codes.has('1800') || codes.has('1200')).toBe(false);
  const wrong = { receivables: '', cash: '1000', bank: 'Ä' };
  const refused = await stage.ask('PUT', '/admin/v1/seller', {
    body: { ...SELLER, ledger_accounts: wrong, datev: { consultant: 1, client: 0 } },
  });
  const pointers = (refused.json['errors'] as Row[]).map(({ pointer }) => pointer);
  expect(new Set(pointers)).toEqual(
    new Set([
      '/ledger_accounts/receivables',
      '/ledger_accounts/bank',
      '/ledger_accounts/cash',
      '/datev/consultant',
      '/datev/client',
    ]),
  );
});

it('is served as a DATEV stack, once the seller has the numbers for it', async () => {
  const path = '/exports/invoices?format=datev&issued_month=2025-11';
  const refused = await stage.get(path);
  expect([refused.status, refused.json['code']]).toEqual([409, 'conflict']);
  const datev = { consultant: 29_098, client: 55_003, tax_keys: { 'S 19': '3' } };
  const set = await stage.ask('PUT', '/admin/v1/seller', { body: { ...SELLER, datev } });
  expect([set.status, set.text]).toEqual([200, expect.stringContaining('29098')]);
  const answer = await stage.get(path);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=windows-1252',
    'content-disposition': 'attachment; filename="EXTF_Buchungsstapel_2025-11.csv"',
  });
  const { rows } = readDatev(answer.bytes.toString('latin1'));
  const journal = rowsOf(await stage.get(`${JOURNAL}2025-11`));
  const expected: Record<string, number> = {};
  for (const { ledger, ledger_account: account = '', debit, credit } of journal) {
    const code = ledger === 'receivables' ? '10001' : account;
    const hundredths = Math.round((Number(debit) - Number(credit)) * 100);
    expected[code] = (expected[code] ?? 0) + hundredths;
  }
  expect(datevBalances(rows, { 3: 19 }, '2200')).toEqual(
    Object.fromEntries(Object.entries(expected).filter(([, sum]) => sum !== 0)),
  );
  const slash = await stage.get(`${path}&bank=18%2F1&tax_payable=17`);
  expect([slash.status, slash.json['detail']]).toEqual([
    409,
    expect.stringMatching(/bank: "18\/1" is not .*tax_payable: "17" is not/),
  ]);
});

it("documents do not state what is of the seller's own books", async () => {
  const { json } = await stage.get('/invoices/INV-000001.json');
  expect(json['seller']).toMatchObject({ name: SELLER.name });
  expect(json['seller']).not.toHaveProperty('breakage_percent');
  expect(json['seller']).not.toHaveProperty('ledger_accounts');
});

it('a kept journal takes other codes, also one of before it named its ledgers', () => {
  const old = 'document,ledger_account,debit\r\n1200,1200,"1,0"\r\nINV-000001,9999,2\r\n';
  expect(withAccounts(old, { receivables: '14,00' })).toBe(
    'document,ledger_account,debit\r\n1200,"14,00","1,0"\r\nINV-000001,9999,2\r\n',
  );
  const named = 'ledger_account,ledger\r\n1200,bank\r\n1000,receivables\r\n';
  expect(withAccounts(named, { receivables: '1400' })).toBe(
    'ledger_account,ledger\r\n1200,bank\r\n1400,receivables\r\n',
  );
});
