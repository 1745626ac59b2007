import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { unzipped } from '#rest/exports/zip-reader.suite.js';
import { Program } from '../setup/program.js';
import { ADMIN_TOKEN, Service, type Customer } from '../setup/service.js';

const TOP_5 = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const ALL_BEAUTY = '/v1/latest/cat1/trends/all/popindex/us/beauty';
const PLAN = {
  monthly_fee: 4_900,
  included_credits: 1_000,
  price_per_1000_credits: 1_250,
  tax: { category: 'S', rate_percent: 19 },
};

let service: Service;
let folder: string;
let customer: Customer;

/** A customer with an October, which its test clock has left. */
beforeAll(async () => {
  service = await Service.start({ DEMO: 'true' });
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-month-end-'));
  const clock = { test_clock: '2026-10-31T23:00:00Z' };
  customer = await service.customer(0, { ...clock, currency: 'EUR', plan: PLAN });
  for (const url of [TOP_5, TOP_5, ALL_BEAUTY]) await customer.get(url);
  await service.moveClock(customer.accountId, '2026-11-01T00:00:00Z');
}, 120_000);

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

async function popindex(args: readonly string[], env: Record<string, string> = {}) {
  const program = Program.popindex(args, { INIT_CWD: folder, ...env });
  const code = await program.ended;
  return { code, out: program.stdout, err: program.stderr };
}

/** With the admin REST, as finance works. */
function finance(...args: readonly string[]) {
  return popindex(args, { ADMIN_URL: service.adminUrl, ADMIN_TOKEN });
}

it('finance takes over the month as files, each of them whole', async () => {
  const zip = await finance(
    'export',
    'invoices',
    '--month',
    '2026-10',
    '--test',
    '--format',
    'zip',
  );
  expect([zip.code, zip.err.trim()]).toEqual([0, path.join(folder, 'invoices-2026-10.zip')]);
  const files = unzipped(await readFile(path.join(folder, 'invoices-2026-10.zip')));
  const { documents } = JSON.parse(files.get('manifest.json')?.toString() ?? '') as {
    documents: { account_id: string; number: string; total: number }[];
  };
  const own = documents.find(({ account_id: id }) => id === customer.accountId);
  // 50,045 credits, 1,000 of them included: 613.06 for 49,045, 49.00 a month, and 19 % tax.
  expect(own?.total).toBe(78_785);
  expect(files.get(`invoices/${own?.number}.pdf`)?.toString('latin1', 0, 5)).toBe('%PDF-');

  const journal = ['export', 'invoices', '--month', '2026-10', '--test', '--format', 'journal'];
  const { out } = await finance(...journal, '--account', 'receivables=1400', '--output', '-');
  const rows = parse(out, { columns: true }) as Record<string, string>[];
  const sum = (column: string) => rows.reduce((total, row) => total + Number(row[column]), 0);
  expect(sum('debit_minor')).toBe(sum('credit_minor'));
  expect(rows.some((row) => row['ledger_account'] === '1400')).toBe(true);

  const refused = await finance('export', 'credit-liability', '--month', '2026-13');
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('--month: This must be a month'),
  ]);
}, 60_000);

it('what was issued is held against the log by its number', async () => {
  const { body } = await service.admin(`/invoices?account_id=${customer.accountId}`);
  const [invoice] = body.items as { number: string }[];
  const number = invoice?.number ?? '';
  const settings = { DATABASE_URL: service.databaseUrl, ADMIN_TOKEN };
  const held = await popindex(['verify', '--invoice', number], settings);
  expect([held.code, held.out]).toEqual([0, expect.stringContaining('is what the log says.')]);
  const none = await popindex(['verify', '--invoice', 'INV-999999'], settings);
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('there is no document')]);
}, 60_000);

it('a customer proves a statement by the own calls alone, without any database', async () => {
  const save = async (name: string, url: string, accept: string) => {
    await writeFile(path.join(folder, name), (await customer.get(url, { accept })).text);
  };
  await save('october.json', '/v1/account/statements/2026-10', 'application/json');
  await save('calls.csv', '/v1/account/calls', 'text/csv');
  const nowhere = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing' };
  const check = ['verify', '--statement', 'october.json', '--calls', 'calls.csv'];
  const held = await popindex(check, nowhere);
  expect([held.code, held.out]).toEqual([0, expect.stringContaining('The statement holds.')]);

  const csv = await readFile(path.join(folder, 'calls.csv'), 'utf8');
  const lines = csv.split('\r\n');
  await writeFile(path.join(folder, 'calls.csv'), lines.toSpliced(2, 1).join('\r\n'));
  const lacking = await popindex([...check, '--json'], nowhere);
  const report = JSON.parse(lacking.out) as { intact: boolean };
  expect([lacking.code, report.intact]).toEqual([1, false]);

  const odd = await popindex(['verify', '--calls', 'calls.csv'], nowhere);
  expect(odd.code).toBe(2);
}, 60_000);
