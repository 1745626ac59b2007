import fc from 'fast-check';
import { creditNoteCharges, invoiceCharges } from '#invoice-rules/focus.js';
import { focusCells } from '#invoice-rules/focus-columns.js';
import type { InvoiceLine } from '#invoice-rules/invoice.js';
import { formatAmount } from '#invoice-rules/money.js';
import { anyDocument } from '#invoice-documents/random-documents.suite.js';
import { AdminStage } from '../../../../test/setup/admin-stage.js';
import {
  BUYER,
  call,
  customer,
  DECEMBER,
  moveClock,
  NO_TAX,
  numbersOf,
  SELLER,
  TOP_5,
} from '../../../../test/setup/invoicing-stage.js';
import { focusFaults, focusRowsOf, type Row } from './focus-rules.suite.js';

/** Of all accounts that are no tests. */
const CALLS = 5;
const ISSUED = {
  number: 'INV-000001',
  type: 'invoice',
  month: '2026-10',
  issue_date: '2026-11-01',
  currency: 'EUR',
} as const;
const SOLD: InvoiceLine = {
  n: 1,
  type: 'purchase',
  grant_id: '00000000-0000-4000-8000-000000000001',
  granted_credits: 1_000,
  description: '',
  amount: 5_000,
};
const MONTH = { from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' };

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
          : creditNoteCharges(document, account, MONTH, () => ({ line: SOLD, isOfUsage: true }));
      expect(rows.map(focusCells).flatMap(focusFaults)).toEqual([]);
      const billed = rows.map((row) => BigInt(row.billed.replace('.', '')));
      const total = billed.reduce((sum, cost) => sum + cost, 0n);
      expect(formatAmount(total, currency)).toBe(formatAmount(document.total, currency));
    }),
    { numRuns: 300 },
  );
});

test('an overage is the cost of calls, but of a month without any its own', () => {
  const overage = { n: 1, type: 'overage', description: '', amount: 1_000 };
  const priced = { ...overage, billed_credits: 800, price_per_1000_credits: 1_250 };
  const usage = { n: 2, type: 'usage', rule: 'all', kind: 'base', description: '', calls: 1 };
  const account = { id: 'a', name: 'b', currency: 'EUR', issuer: 'c', month: MONTH };
  const costs = (lines: readonly object[]) => {
    const invoice = { ...ISSUED, lines, tax_breakdown: [] };
    const [row] = invoiceCharges(invoice as never, account, MONTH);
    return [row?.billed, row?.effective];
  };
  expect(costs([priced, { ...usage, credits: 800, amount: 0 }])).toEqual(['10.00', '0.00']);
  expect(costs([priced, { ...usage, credits: 0, amount: 0 }])).toEqual(['10.00', '10.00']);
  expect(costs([priced])).toEqual(['10.00', '10.00']);
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
    const invoice = { ...ISSUED, lines: [fee], tax_breakdown: [] };
    const account = { id: 'a', name: 'b', currency: 'EUR', issuer: 'c', month: MONTH };
    const [row = {}] = invoiceCharges(invoice as never, account, MONTH).map(focusCells);
    expect(focusFaults(row)).toEqual([]);
    expect(focusFaults({ ...row, ...changes } as Row)).toContain(fault);
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
    rows = focusRowsOf(await stage.get('/exports/invoices?month=2025-11&format=focus'));
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
    const own = focusRowsOf(await stage.get(`/accounts/${planned}/exports/focus?month=2025-11`));
    expect(own).toEqual(rows.filter((row) => row['BillingAccountId'] === planned));
  });

  it('that has not begun, or by issue, is refused', async () => {
    for (const query of ['month=2026-01', 'issued_month=2025-11']) {
      const { status } = await stage.get(`/exports/invoices?${query}&format=focus`);
      expect(status).toBe(400);
    }
  });
});

describe('the cost of calls', () => {
  let stage: AdminStage;
  const reason = 'Agreed.';
  const credit = (number: string, amount: number) =>
    stage.post(`/invoices/${number}/credit-notes`, { reason, lines: [{ line: 6, amount }] });
  const voided = async (number: string, reissue: boolean) => {
    const { json } = await stage.post(`/invoices/${number}/void`, { reason, reissue });
    return String(json['reissued_as']);
  };

  beforeAll(async () => {
    stage = await AdminStage.open();
  });

  afterAll(async () => {
    expect(stage.errors).toEqual([]);
    await stage.close();
  });

  /** Net of the lines of all documents that are the price of the month's overage. */
  async function overageOf(id: string): Promise<number> {
    type Line = { n: number; type: string; line?: number; amount: number };
    const listed = async (list: string) =>
      (await stage.get(`/${list}?account_id=${id}`)).json['items'] as { number: string }[];
    const linesOf = async (list: string) =>
      Promise.all(
        (await listed(list)).map(
          async ({ number }) => (await stage.get(`/${list}/${number}`)).json['lines'] as Line[],
        ),
      );
    const billed = (await linesOf('invoices')).flat().filter(({ type }) => type === 'overage');
    const credited = (await linesOf('credit-notes')).flat().filter(({ line }) => line === 6);
    return [...billed, ...credited].reduce((sum, { amount }) => sum + amount, 0);
  }

  test.each<[string, (number: string) => Promise<unknown>, number]>([
    ['as it was billed', async () => undefined, 60_056],
    ['less what was credited', async (number) => credit(number, 10_000), 50_056],
    ['nothing once it is void', async (number) => voided(number, false), 0],
    ['once if it was issued again', async (number) => voided(number, true), 60_056],
    [
      'what is left after credits, a reissue and more credits',
      async (number) => {
        await credit(number, 10_000);
        await credit(await voided(number, true), 7);
      },
      50_049,
    ],
  ])(
    'is the overage %s, and the price of the credits that were used',
    async (_what, change, left) => {
      const id = await customer(stage);
      const bought = { credits: 1_000, kind: 'purchased', price: 12_345, priority: 1 };
      await stage.post(`/accounts/${id}/grants`, bought);
      await call(stage, id);
      await moveClock(stage, id, DECEMBER);
      await change((await numbersOf(stage, id)).at(-1) ?? '');
      const rows = focusRowsOf(await stage.get(`/accounts/${id}/exports/focus?month=2026-11`));
      const of = (category: string) => rows.filter((row) => row['ChargeCategory'] === category);
      expect(rows.flatMap(focusFaults)).toEqual([]);
      expect(await overageOf(id)).toBe(left);
      const usage = of('Usage').reduce((sum, row) => sum + Number(row['EffectiveCost']), 0);
      expect(Math.round(usage * 100)).toBe(left + bought.price);
      // All purchased credits are used: what is billed without tax is the cost of calls and fee.
      const isPaid = sumOf([...of('Purchase'), ...of('Usage')], 'BilledCost');
      const fees = sumOf(of('Purchase'), 'EffectiveCost');
      expect(Math.round(usage * 100) + fees).toBe(isPaid);
    },
  );
});
