import { parse } from 'csv-parse/sync';
import { adminStage } from '../../../../test/setup/stages.js';
import { customer, SELLER } from '../../../../test/setup/invoicing-stage.js';

type Row = Readonly<Record<string, string>>;

const stage = adminStage();
let account: string;
let other: string;

function isNow(day: string): void {
  stage.now = Date.parse(`${day}T09:00:00Z`);
}

async function openOn(date?: string) {
  const query = date === undefined ? '' : `?date=${date}`;
  return (await stage.get(`/exports/open-items${query}`)).json as unknown as {
    date: string;
    items: (Row & { due: number; days_overdue: number })[];
    totals: object[];
  };
}

/** Debits less credits of receivables and credit balances in the journals of these months. */
async function journalOf(months: readonly string[], until: string): Promise<number> {
  let sum = 0;
  for (const month of months) {
    const { text } = await stage.get(`/exports/invoices?format=journal&issued_month=${month}`);
    for (const row of parse(text, { columns: true }) as Row[]) {
      const isOwed = ['receivables', 'customer_credits'].includes(row['ledger'] ?? '');
      if (!isOwed || (row['date'] ?? '') > until) continue;
      sum += Number(row['debit_minor']) - Number(row['credit_minor']);
    }
  }
  return sum;
}

/** Two purchases of one customer, a part of the first is paid; another one has paid too much. */
beforeAll(async () => {
  isNow('2025-11-03');
  await stage.ask('PUT', '/admin/v1/seller', { body: { ...SELLER, reminder_days: [3] } });
  account = await customer(stage, { plan: undefined, test_clock: undefined, external_id: '10001' });
  other = await customer(stage, { plan: undefined, test_clock: undefined });
  const bought = { credits: 100, kind: 'purchased', price: 10_000 };
  await stage.post(`/accounts/${account}/grants`, bought);
  await stage.post(`/accounts/${other}/grants`, bought);
  isNow('2025-11-20');
  await stage.post(`/accounts/${account}/grants`, bought);
  isNow('2025-12-02');
  await stage.post(`/invoices/INV-000001/payments`, { amount: 2_500, date: '2025-12-01' });
  await stage.post(`/accounts/${other}/payments`, { amount: 10_700, date: '2025-12-01' });
});

it('lists what is owed of each invoice, and credit balances, with who owes it', async () => {
  const { date, items, totals } = await openOn();
  expect(date).toBe('2025-12-02');
  expect(items.map((one) => [one.account_id, one.number, one.due, one.days_overdue])).toEqual(
    expect.arrayContaining([
      [account, 'INV-000001', 7_500, 15],
      [account, 'INV-000003', 10_000, 0],
      [other, null, -700, 0],
    ]),
  );
  expect(items).toHaveLength(3);
  expect(items.find(({ number }) => number === 'INV-000001')).toMatchObject({
    customer_number: '10001',
    customer_name: 'Nails & Co',
    issue_date: '2025-11-03',
    due_date: '2025-11-17',
    amount: 10_000,
    paid: 2_500,
  });
  expect(totals).toEqual([{ currency: 'EUR', due: 16_800, overdue: 7_500 }]);
});

it('is as of a day, by the dates of documents and payments', async () => {
  const before = await openOn('2025-11-19');
  const found = before.items.map((one) => [one.number, one.due, one.days_overdue]);
  expect(new Set(found)).toEqual(
    new Set([
      ['INV-000001', 10_000, 2],
      ['INV-000002', 10_000, 2],
    ]),
  );
  expect((await openOn('2025-11-02')).items).toEqual([]);
});

it.each(['2025-11-19', '2025-11-30', '2025-12-01', '2025-12-02'])(
  'adds up on %s to what the journal holds',
  async (date) => {
    const { items } = await openOn(date);
    const due = items.reduce((sum, item) => sum + item.due, 0);
    expect(due).toBe(await journalOf(['2025-11', '2025-12'], date));
  },
);

it('is a CSV, too, and refuses a day to come', async () => {
  const { text, headers } = await stage.get('/exports/open-items', { accept: 'text/csv' });
  expect(headers['content-disposition']).toContain('open-items-2025-12-02.csv');
  const rows = parse(text, { columns: true }) as Row[];
  expect(new Set(rows.map((row) => row['due']))).toEqual(new Set(['75.00', '100.00', '-7.00']));
  const { status, json } = await stage.get('/exports/open-items?date=2025-12-03');
  expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining('2025-12-02')]);
});
