import { parse } from 'csv-parse/sync';
import { CSV_COLUMNS } from '#invoice-rules/csv-rows.js';
import { SYSTEM_LANE } from '#event-log/event-log.js';
import { documentHash } from '#projections/invoices/documents.js';
import { terms } from '#account/scenario.suite.js';
import type { Answered } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import {
  BUYER,
  customer,
  moveClock,
  NO_TAX,
  numbersOf,
  SELLER,
  TOP_5,
} from '../../../../test/setup/invoicing-stage.js';
import { ExportSource } from './export-source.js';
import { unzipped } from './zip-reader.suite.js';

type Row = Readonly<Record<string, string>>;

const stage = adminStage();
let planned: string;
let buying: string;

const NOVEMBER = '/exports/invoices?month=2025-11';

/** The number of a test account's invoice for its fee. */
async function testInvoice(): Promise<string> {
  const id = await customer(stage, { test_clock: '2025-11-24T09:00:00Z' });
  await moveClock(stage, id, '2025-12-01T00:00:00Z');
  const [number = ''] = await numbersOf(stage, id);
  return number;
}

/**
 * In the past, because payments are looked for from the month on in which they can have been made.
 * Two customers with a November, one of them with a credit note and a payment; and a test.
 */
beforeAll(async () => {
  stage.now = Date.parse('2025-11-24T09:00:00Z');
  await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
  planned = await customer(stage, { test_clock: undefined });
  const formula = { ...BUYER, name: '=cmd()' };
  await stage.ask('PUT', `/admin/v1/accounts/${planned}/billing`, { body: formula });
  buying = await stage.prepaid({ currency: 'JPY' }, 5);
  const body = { ...BUYER, tax: NO_TAX, purchases: 'monthly' };
  await stage.ask('PUT', `/admin/v1/accounts/${buying}/billing`, { body });
  const bought = { credits: 1_000, kind: 'purchased', price: 125_000, priority: 1 };
  await stage.post(`/accounts/${buying}/grants`, bought);
  await stage.call(planned);
  for (const id of [planned, buying]) await stage.call(id, { resource: TOP_5 });
  stage.now = Date.parse('2025-12-02T10:00:00Z');
  for (const id of [planned, buying]) {
    await stage.post('/invoice-runs', { month: '2025-11', account_id: id });
  }
  await stage.post('/invoices/INV-000001/credit-notes', {
    reason: 'Agreed.',
    lines: [{ line: 5, amount: 900 }],
  });
  await stage.post('/invoices/INV-000001/payments', { amount: 5_000, date: '2025-12-01' });
  await testInvoice();
});

function rowsOf({ status, text }: Answered): Row[] {
  if (status !== 200) throw new Error(text);
  return parse(text, { columns: true }) as Row[];
}

function sumOf(rows: readonly Row[], column: string): number {
  return rows.reduce((sum, row) => sum + Number(row[column]), 0);
}

async function totalOf(path: string): Promise<unknown> {
  return (await stage.get(path)).json['total'];
}

describe('the export of a month as CSV', () => {
  it('has a row for each line, tax and payment, whose sums are the totals', async () => {
    const answer = await stage.get(NOVEMBER);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="invoices-2025-11.csv"',
      'cache-control': 'no-store',
    });
    const rows = rowsOf(answer);
    expect(Object.keys(rows[0] ?? {})).toEqual([...CSV_COLUMNS]);
    const of = (number: string) => rows.filter((row) => row['number'] === number);
    for (const number of ['INV-000001', 'INV-000002']) {
      expect(sumOf(of(number), 'amount_minor')).toBe(await totalOf(`/invoices/${number}`));
    }
    expect(sumOf(of('CN-000001'), 'amount_minor')).toBe(-1_071);
    const [payment] = rows.filter(({ document }) => document === 'payment');
    expect(payment).toMatchObject({
      account_id: planned,
      invoice_number: 'INV-000001',
      issue_date: '2025-12-01',
      amount: '50.00',
    });
    expect([...new Set(rows.map(({ document }) => document))]).toEqual([
      'invoice',
      'credit_note',
      'payment',
    ]);
    expect(of('INV-000001')[0]?.['buyer_name']).toBe("'=cmd()");
  });

  it('leaves test accounts out unless it is asked with them', async () => {
    const numbers = async (path: string) =>
      new Set(rowsOf(await stage.get(path)).map(({ number = '' }) => number.replace(/\d+$/, '')));
    expect(await numbers(NOVEMBER)).not.toContain('TEST-INV-');
    expect(await numbers(`${NOVEMBER}&test=true`)).toContain('TEST-INV-');
  });

  it('goes by the month of issue and of payment where that is asked for', async () => {
    const december = rowsOf(await stage.get('/exports/invoices?issued_month=2025-12'));
    expect(december).toEqual(rowsOf(await stage.get(NOVEMBER)));
    for (const month of ['issued_month=2025-11', 'month=2025-10', 'month=2025-12']) {
      const empty = await stage.get(`/exports/invoices?${month}`);
      expect(empty.text.split('\r\n')).toEqual([CSV_COLUMNS.join(','), '']);
    }
  });

  it('holds what had been issued as it began, whatever is issued meanwhile', async () => {
    const ends = new Map((await stage.log.ends()).map(({ lane, position }) => [lane, position]));
    const { pool } = stage;
    const scope = { by: 'supply', month: '2025-11', test: true } as const;
    const source = new ExportSource(pool, terms.calendar, ends, scope);
    const number = await testInvoice();
    await stage.post(`/invoices/${number}/payments`, { amount: 1 });
    await stage.post(`/invoices/${number}/void`);
    await stage.get(`${NOVEMBER}&test=true`);
    const all: string[] = [];
    for await (const batch of source.invoices())
      all.push(...batch.map((one) => one.document.number));
    for await (const batch of source.creditNotes()) {
      all.push(...batch.map((one) => one.document.number));
    }
    for await (const batch of source.payments())
      all.push(...batch.map((one) => one.invoice_number ?? ''));
    expect(all).toEqual(['INV-000001', 'INV-000002', 'TEST-INV-000001', 'CN-000001', 'INV-000001']);
    const none = new Map([[SYSTEM_LANE, 0]]);
    const before = new ExportSource(pool, terms.calendar, none, scope);
    expect((await before.invoices().next()).done).toBe(true);
  });
});

test('as JSONL each document is a line, as it was issued, and each payment is one', async () => {
  const { text } = await stage.get(`${NOVEMBER}&format=jsonl`);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
  expect(lines.map(({ type, number }) => number ?? type)).toEqual([
    'INV-000001',
    'INV-000002',
    'CN-000001',
    'payment',
  ]);
  expect(lines[0]).toEqual((await stage.get('/invoices/INV-000001.json')).json);
  expect(lines[2]).toEqual((await stage.get('/credit-notes/CN-000001.json')).json);
  expect(lines[3]).toMatchObject({ amount: 5_000, date: '2025-12-01', reference: null });
});

test('as a ZIP the issued bytes come with a manifest and checksums', async () => {
  const answer = await stage.get(`${NOVEMBER}&format=zip`);
  const files = unzipped(answer.bytes);
  const every = ['pdf', 'xml', 'cii.xml', 'json'];
  expect([...files.keys()]).toEqual([
    ...every.map((format) => `invoices/INV-000001.${format}`),
    ...every.map((format) => `invoices/INV-000002.${format}`),
    ...every.map((format) => `credit-notes/CN-000001.${format}`),
    'manifest.json',
    'SHA256SUMS',
  ]);
  const sums = files.get('SHA256SUMS')?.toString().trimEnd().split('\n') ?? [];
  const expected = [...files].slice(0, -1);
  expect(sums).toEqual(expected.map(([name, body]) => `${documentHash(body)}  ${name}`));
  const manifest = JSON.parse(files.get('manifest.json')?.toString() ?? '') as object;
  expect(manifest).toMatchObject({
    month: '2025-11',
    log_positions: answer.headers['log-positions'],
    documents: [
      { number: 'INV-000001', files: { pdf: { path: 'invoices/INV-000001.pdf' } } },
      { number: 'INV-000002', currency: 'JPY' },
      { number: 'CN-000001', type: 'credit_note', total: -1_071 },
    ],
  });
  for (const file of ['invoices/INV-000001.xml', 'credit-notes/CN-000001.cii.xml']) {
    expect(files.get(file)?.toString()).toBe((await stage.get(`/${file}`)).text);
  }
  const none = await stage.get('/exports/invoices?month=2025-10&format=zip');
  expect([...unzipped(none.bytes).keys()]).toEqual(['manifest.json', 'SHA256SUMS']);
});

describe('the journal', () => {
  const JOURNAL = '/exports/invoices?format=journal&issued_month=';

  function bookings(rows: readonly Row[], account: string): (string | undefined)[][] {
    return rows
      .filter((row) => row['account_id'] === account)
      .map(({ date, ledger_account: code, debit, credit }) => [date, code, debit, credit]);
  }

  it('balances entry by entry, and books each month what was sold and earned in it', async () => {
    const path = `${JOURNAL}2025-11&contract_assets=1490&credit_revenue=8400%2F1`;
    const rows = rowsOf(await stage.get(path));
    expect(rows).toEqual(rowsOf(await stage.get(path.replace('issued_month', 'month'))));
    for (const entry of new Set(rows.map((row) => row['entry']))) {
      const own = rows.filter((row) => row['entry'] === entry);
      expect([entry, sumOf(own, 'debit_minor')]).toEqual([entry, sumOf(own, 'credit_minor')]);
    }
    // 35 of 1,000 credits that were sold for 125,000 yen are used.
    expect(bookings(rows, buying)).toEqual([
      ['2025-11-24', '1490', '125000', '0'],
      ['2025-11-24', '2400', '0', '125000'],
      ['2025-11-30', '2400', '4375', '0'],
      ['2025-11-30', '8400/1', '0', '4375'],
    ]);
    expect(bookings(rows, planned)).toEqual([
      ['2025-11-30', '1490', '787.71', '0.00'],
      ['2025-11-30', '4010', '0.00', '612.94'],
      ['2025-11-30', '4000', '0.00', '49.00'],
      ['2025-11-30', '2200', '0.00', '125.77'],
    ]);
  });

  it('books documents and payments by their own dates', async () => {
    const rows = rowsOf(await stage.get(`${JOURNAL}2025-12&receivables=1400`));
    const booked = (document: string) =>
      rows
        .filter((row) => row['document'] === document && !row['description']?.startsWith('Pay'))
        .map(({ ledger_account: account, debit, credit }) => [account, debit, credit]);
    expect(booked('INV-000002')).toEqual([
      ['1400', '125000', '0'],
      ['1210', '0', '125000'],
    ]);
    expect(booked('INV-000001')).toEqual([
      ['1400', '787.71', '0.00'],
      ['1210', '0.00', '787.71'],
    ]);
    expect(booked('CN-000001')).toEqual([
      ['1400', '0.00', '10.71'],
      ['4000', '9.00', '0.00'],
      ['2200', '1.71', '0.00'],
    ]);
    const paid = rows.filter(({ description }) => description === 'Payment of INV-000001');
    expect(paid.map(({ date }) => date)).toEqual(['2025-12-01', '2025-12-01']);
  });

  it('takes codes of accounts for no other format', async () => {
    const { status, json } = await stage.get(`${NOVEMBER}&bank=1`);
    expect([status, json['parameters']]).toEqual([
      400,
      [expect.objectContaining({ name: 'bank', detail: expect.stringContaining('datev') })],
    ]);
  });
});

describe('what an export refuses', () => {
  it('is everything that is wrong at once', async () => {
    const faults = async (query: string) => {
      const { status, json } = await stage.get(`/exports/invoices${query}`);
      const names = (json['parameters'] as Row[]).map(({ name }) => name);
      return [status, names];
    };
    expect(await faults('')).toEqual([400, ['month']]);
    expect(await faults('?month=2025-11&issued_month=2025-12')).toEqual([400, ['month']]);
    expect(await faults('?month=2025-13&format=xls&test=yes&bank=&colour=red')).toEqual([
      400,
      ['colour', 'month', 'format', 'test', 'bank', 'bank'],
    ]);
    expect(await faults('?month=2926-01')).toEqual([400, ['month']]);
    expect(await faults('?issued_month=2926-01')).toEqual([400, ['issued_month']]);
  });

  it('is a form that is not the one asked for', async () => {
    const { status } = await stage.get(NOVEMBER, { accept: 'application/json' });
    expect(status).toBe(406);
  });

  it('is a document whose bytes are not those that were issued', async () => {
    const { json } = await stage.get('/invoices/INV-000002');
    const sql = `update document set body = body || 'x'::bytea where account_id = $1
                   and media_type = 'application/json'`;
    await stage.pool.query(sql, [json['account_id']]);
    const { status } = await stage.get(NOVEMBER);
    expect([status, stage.errors.splice(0).length]).toEqual([500, 1]);
  });

  it('sends a HEAD no body', async () => {
    const { status, text } = await stage.ask('HEAD', `/admin/v1/exports/invoices?month=2025-10`);
    expect([status, text]).toEqual([200, '']);
  });
});
