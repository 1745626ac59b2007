import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { creditNoteCharges, FOCUS_COLUMNS, invoiceCharges, type FocusRow } from '#billing/focus.js';
import { formatAmount } from '#billing/money.js';
import { anyDocument } from '#invoice-documents/random-documents.suite.js';
import { AdminStage, type Answered } from '../admin/admin-stage.suite.js';
import { BUYER, NO_TAX, SELLER, TOP_5, customer } from '../invoicing/invoicing-stage.suite.js';
import { focusFaults } from './focus-rules.suite.js';

type Row = Readonly<Record<string, string | null>>;

/** Of all accounts that are no tests. */
const CALLS = 5;
const MONTH = { from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' };

function cellsOf(row: FocusRow): Row {
  return Object.fromEntries(FOCUS_COLUMNS.map((column) => [column, row[column] ?? null]));
}

function rowsOf({ text }: Answered): Row[] {
  const rows: Record<string, string>[] = parse(text, { columns: true });
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell || null])),
  );
}

/** Minor units of two decimals. */
function sumOf(rows: readonly Row[], column: string): number {
  return rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0);
}

test('the charges of any document keep the rules, and add up to what is payable', () => {
  fc.assert(
    fc.property(anyDocument(), (document) => {
      const { currency, account_id: id } = document;
      const account = { id, name: 'Acme', currency, issuer: 'Index GmbH', month: MONTH };
      const rows =
        document.type === 'invoice'
          ? invoiceCharges(document, account, MONTH)
          : creditNoteCharges(document, account, MONTH, () => true);
      expect(rows.map(cellsOf).flatMap(focusFaults)).toEqual([]);
      const billed = rows.map(({ BilledCost = '' }) => BigInt(BilledCost.replace('.', '')));
      const total = billed.reduce((sum, cost) => sum + cost, 0n);
      expect(formatAmount(total, currency)).toBe(formatAmount(document.total, currency));
    }),
    { numRuns: 300 },
  );
});

describe('the rules find', () => {
  test.each([
    ['a cost that is no product', { ContractedCost: '1' }, 'contracted cost'],
    ['a category that is none', { ChargeCategory: 'Fee' }, 'ChargeCategory is Fee'],
    ['an empty cell', { ServiceName: '' }, 'ServiceName is '],
    ['an absent column', { ListCost: undefined }, 'ListCost is absent'],
    ['a local time', { ChargePeriodStart: '2026-10-01' }, 'ChargePeriodStart is 2026-10-01'],
  ])('%s', (_what, changes, fault) => {
    const fee = { n: 1, type: 'fee', description: 'Monthly fee', amount: 4900 } as const;
    const invoice = { number: 'INV-000001', currency: 'EUR', lines: [fee], tax_breakdown: [] };
    const account = { id: 'a', name: 'b', currency: 'EUR', issuer: 'c', month: MONTH };
    const [row = {}] = invoiceCharges(invoice as never, account, MONTH);
    expect(focusFaults(cellsOf(row))).toEqual([]);
    expect(focusFaults({ ...cellsOf(row), ...changes } as Row)).toContain(fault);
  });
});

describe('a month', () => {
  let stage: AdminStage;
  let planned: string;
  let rows: Row[];

  /** A customer with a plan and a credit note, one that buys credits, and a test. */
  beforeAll(async () => {
    stage = await AdminStage.open();
    stage.now = Date.parse('2025-11-24T09:00:00Z');
    await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
    planned = await customer(stage, { test_clock: undefined });
    await stage.ask('PUT', `/admin/v1/accounts/${planned}/billing`, { body: BUYER });
    const buying = await stage.prepaid({}, 5);
    const untaxed = { ...BUYER, tax: NO_TAX };
    await stage.ask('PUT', `/admin/v1/accounts/${buying}/billing`, { body: untaxed });
    const bought = { credits: 1_000, kind: 'purchased', price: 125_000, priority: 1 };
    await stage.post(`/accounts/${buying}/grants`, bought);
    await customer(stage, { test_clock: '2025-11-24T09:00:00Z' });
    await stage.call(planned);
    for (const id of [planned, planned, buying]) await stage.call(id, { resource: TOP_5 });
    await stage.call(planned, { resource: TOP_5, tags: { team: 'nails', project: 'autumn' } });
    stage.now = Date.parse('2025-12-02T10:00:00Z');
    await stage.post('/invoice-runs', { month: '2025-11' });
    const { json } = await stage.get(`/invoices?account_id=${planned}&month=2025-11`);
    const [{ number = '' } = {}] = json['items'] as { number?: string }[];
    const body = { reason: 'Agreed.', lines: [{ line: 5, amount: 900 }] };
    await stage.post(`/invoices/${number}/credit-notes`, body);
    rows = rowsOf(await stage.get('/exports/invoices?month=2025-11&format=focus'));
  }, 60_000);

  afterAll(async () => stage.close());

  it('keeps the rules in every row', () => {
    expect(new Set(rows.map((row) => row['ChargeCategory']))).toEqual(
      new Set(['Purchase', 'Tax', 'Usage']),
    );
    expect(rows.flatMap(focusFaults)).toEqual([]);
  });

  it('bills of each document what is payable, and nothing of usage', async () => {
    const invoices = await stage.get('/invoices?month=2025-11&test=false');
    const notes = await stage.get('/credit-notes?month=2025-11&test=false');
    type Item = { number: string; total: number };
    const items = [invoices, notes].flatMap(({ json }) => json['items'] as Item[]);
    expect(items.length).toBeGreaterThanOrEqual(3);
    for (const { number, total } of items) {
      const own = rows.filter((row) => row['InvoiceId'] === number);
      expect([number, sumOf(own, 'BilledCost')]).toEqual([number, total]);
    }
    expect(sumOf(rows, 'BilledCost')).toBe(items.reduce((sum, { total }) => sum + total, 0));
  });

  it('shows calls in credits, worth what was paid for them', async () => {
    const { json } = await stage.get('/exports/credit-liability?month=2025-11');
    type Item = { account_id: string; used: { credits: number; amount: number } };
    const items = json['items'] as Item[];
    const [used] = items.flatMap((item) => (item.used.amount > 0 ? [item.used] : []));
    const usage = rows.filter((row) => row['ChargeCategory'] === 'Usage');
    const buying = usage.filter((row) => row['BillingAccountId'] !== planned);
    expect(sumOf(buying, 'PricingCurrencyEffectiveCost')).toBe(100 * (used?.credits ?? 0));
    expect(sumOf(buying, 'EffectiveCost')).toBe(used?.amount);
    const own = usage.filter((row) => row['BillingAccountId'] === planned);
    expect(own.map((row) => [row['ConsumedQuantity'], row['PricingCurrency']])).toContainEqual([
      '1',
      'Credits',
    ]);
  });

  it('shows the tags of calls, each call once', () => {
    const usage = rows.filter((row) => row['ChargeCategory'] === 'Usage');
    const tagged = usage.filter((row) => row['Tags'] !== null);
    expect(tagged.map((row) => [row['ConsumedQuantity'], JSON.parse(row['Tags'] ?? '')])).toEqual([
      ['1', { project: 'autumn', team: 'nails' }],
    ]);
    expect(usage.reduce((sum, row) => sum + Number(row['ConsumedQuantity']), 0)).toBe(CALLS);
  });

  it('is lines of JSON with the same cells, and of one account alone', async () => {
    const accept = 'application/jsonl';
    const { text, headers } = await stage.get('/exports/invoices?month=2025-11&format=focus', {
      accept,
    });
    expect(headers['content-type']).toBe('application/jsonl; charset=utf-8');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
    expect(lines).toHaveLength(rows.length);
    expect(lines.map((row) => row['Tags'])).toContainEqual({ project: 'autumn', team: 'nails' });
    expect(lines.map((row) => Number(row['BilledCost']))).toEqual(
      rows.map((row) => Number(row['BilledCost'])),
    );
    const own = rowsOf(await stage.get(`/accounts/${planned}/exports/focus?month=2025-11`));
    expect(own).toEqual(rows.filter((row) => row['BillingAccountId'] === planned));
  });

  it('that has not begun, or by issue, is refused', async () => {
    for (const query of ['month=2026-01', 'issued_month=2025-11']) {
      const { status } = await stage.get(`/exports/invoices?${query}&format=focus`);
      expect(status).toBe(400);
    }
  });
});
