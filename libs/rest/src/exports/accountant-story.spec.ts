import { parse } from 'csv-parse/sync';
import { documentHash } from '#projections/invoices/documents.js';
import { itemsOf, type Answered } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import { BUYER, customer, SELLER, TOP_5 } from '../../../../test/setup/invoicing-stage.js';

type Row = Readonly<Record<string, string>>;

const MONTHS = ['2025-11', '2025-12', '2026-01'];
const [NOVEMBER, DECEMBER, JANUARY] = ['2025-11-24', '2025-12-01', '2026-01-02'];
const TAX = { category: 'S', rate_percent: 20 };
const PLAN = {
  monthly_fee: 4_900,
  included_credits: 1_000,
  price_per_1000_credits: 1_250,
  tax: TAX,
};

const MOVED = { ...BUYER, tax: TAX, address: { ...BUYER.address, line1: '2 High Street' } };

const stage = adminStage();
let id: string;
let purchase: Readonly<Record<string, unknown>>;
/** Number of December's invoice. */
let invoice: string;
/** SHA-256 of the journal of December, as its close states it. */
let closed: string;

beforeAll(async () => {
  isNow(NOVEMBER);
  await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
  id = await customer(stage, { plan: undefined, test_clock: undefined });
  const body = { ...BUYER, tax: TAX };
  await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body });
});

function isNow(day: string): void {
  stage.now = Date.parse(`${day}T09:00:00Z`);
}

/** Label of the running month. */
function present(): string {
  return new Date(stage.now).toISOString().slice(0, '2025-11'.length);
}

function journalOf(month: string): Promise<Answered> {
  return stage.get(`/exports/invoices?format=journal&issued_month=${month}`);
}

async function done(answer: Promise<Answered>): Promise<Readonly<Record<string, unknown>>> {
  const { status, json, text } = await answer;
  if (status > 299) throw new Error(text);
  return json;
}

function pay(number: unknown, amount: number) {
  return done(stage.post(`/invoices/${String(number)}/payments`, { amount }));
}

/** The rows of the journal of all months so far. */
async function journal(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const month of MONTHS.filter((one) => one <= present())) {
    rows.push(...(parse((await journalOf(month)).text, { columns: true }) as Row[]));
  }
  return rows;
}

/** Debits less credits of each account, without those that are even. */
function balancesOf(rows: readonly Row[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { ledger_account: code = '', debit_minor: debit, credit_minor: credit } of rows) {
    sums[code] = (sums[code] ?? 0) + Number(debit) - Number(credit);
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

/** Closing balance of the liability report of the running month. */
async function owed(): Promise<number> {
  const path = `/exports/credit-liability?month=${present()}`;
  const items = itemsOf(await stage.get(path)) as unknown as { closing: { amount: number } }[];
  return items.reduce((sum, { closing }) => sum + closing.amount, 0);
}

/** Steps of the accountant, and the balances of the books after each. */
const STORY: readonly [what: string, act: () => Promise<unknown>, books: Record<string, number>][] =
  [
    [
      'sells 1,000 credits for EUR 125.00, which is invoiced at once',
      async () => {
        const bought = { credits: 1_000, kind: 'purchased', price: 12_500 };
        purchase = await done(stage.post(`/accounts/${id}/grants`, bought));
      },
      { 1200: 15_000, 2200: -2_500, 2400: -12_500 },
    ],
    [
      'sees 35 of them used',
      () => stage.call(id, { resource: TOP_5 }),
      { 1200: 15_000, 2200: -2_500, 2400: -12_062, 4020: -438 },
    ],
    [
      'agrees on a plan, and November ends',
      async () => {
        const terms = { plan: PLAN, overdraft_credits: null };
        await done(stage.ask('PATCH', `/admin/v1/accounts/${id}`, { body: terms }));
        isNow(DECEMBER);
      },
      { 1200: 15_000, 2200: -2_500, 2400: -12_062, 4020: -438 },
    ],
    [
      'receives the payment',
      () => pay(purchase['invoice_number'], 15_000),
      { 1000: 15_000, 2200: -2_500, 2400: -12_062, 4020: -438 },
    ],
    [
      'voids the purchase, whose unused part is credited',
      async () => {
        const path = `/admin/v1/accounts/${id}/grants/${String(purchase['id'])}`;
        await done(stage.ask('DELETE', path, { body: { reason: 'Moves to the plan.' } }));
      },
      { 1000: 15_000, 1200: -14_474, 2200: -88, 4020: -438 },
    ],
    [
      'pays it back',
      () => pay(purchase['invoice_number'], -14_474),
      { 1000: 526, 2200: -88, 4020: -438 },
    ],
    [
      'sees 50,000 credits used, of which the plan includes 1,000',
      () => stage.call(id),
      { 1000: 526, 2200: -88, 4020: -438 },
    ],
    [
      'ends December, which is invoiced',
      async () => {
        isNow(JANUARY);
        await done(stage.post('/invoice-runs', { month: '2025-12' }));
        const listed = itemsOf(await stage.get(`/invoices?account_id=${id}&month=2025-12`));
        invoice = String(listed[0]?.['number']);
      },
      { 1000: 526, 1200: 79_380, 2200: -13_318, 4000: -4_900, 4010: -61_250, 4020: -438 },
    ],
    [
      'voids it, because the address was wrong, and issues it again',
      async () => {
        await done(stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body: MOVED }));
        const body = { reason: 'The address was wrong.', reissue: true };
        const note = await done(stage.post(`/invoices/${invoice}/void`, body));
        invoice = String(note['reissued_as']);
      },
      { 1000: 526, 1200: 79_380, 2200: -13_318, 4000: -4_900, 4010: -61_250, 4020: -438 },
    ],
    [
      'receives its payment',
      () => pay(invoice, 79_380),
      { 1000: 79_906, 2200: -13_318, 4000: -4_900, 4010: -61_250, 4020: -438 },
    ],
    [
      'credits a part of the fee',
      async () => {
        const { json } = await stage.get(`/invoices/${invoice}`);
        const lines = json['lines'] as { n: number; type: string }[];
        const line = lines.find(({ type }) => type === 'fee')?.n;
        const body = { reason: 'A slow week.', lines: [{ line, amount: 1_000 }] };
        const note = await done(stage.post(`/invoices/${invoice}/credit-notes`, body));
        expect(note).toMatchObject({ total: -1_200, settlement: { set_off: 0, refund: 1_200 } });
      },
      { 1000: 79_906, 1200: -1_200, 2200: -13_118, 4000: -3_900, 4010: -61_250, 4020: -438 },
    ],
    [
      'pays that back',
      () => pay(invoice, -1_200),
      { 1000: 78_706, 2200: -13_118, 4000: -3_900, 4010: -61_250, 4020: -438 },
    ],
    [
      'voids the invoice, which takes fee, overage and tax back',
      () => done(stage.post(`/invoices/${invoice}/void`)),
      { 1000: 78_706, 1200: -78_180, 2200: -88, 4020: -438 },
    ],
    [
      'closes the books of December, and with it of November',
      async () => {
        const period = await done(stage.post('/periods/2025-12/close', { reason: 'Year end.' }));
        closed = (period['files'] as { journal: { sha256: string } }).journal.sha256;
        const listed = itemsOf(await stage.get('/periods'));
        expect(listed).toMatchObject([{ month: '2025-11' }, { month: '2025-12' }]);
      },
      { 1000: 78_706, 1200: -78_180, 2200: -88, 4020: -438 },
    ],
    [
      'cannot date the last refund in December, and dates it in January',
      async () => {
        const refund = (date: string) =>
          stage.post(`/invoices/${invoice}/payments`, { amount: -78_180, date });
        expect((await refund('2025-12-31')).status).toBe(409);
        await done(refund(JANUARY));
      },
      { 1000: 526, 2200: -88, 4020: -438 },
    ],
  ];

it.each(STORY)('an accountant %s', async (_, act, books) => {
  await act();
  const rows = await journal();
  const balances = balancesOf(rows);
  expect(balances).toEqual(books);
  expect(Object.values(balances).reduce((sum, balance) => sum + balance, 0)).toBe(0);
  expect(0 - (balances['2400'] ?? 0)).toBe(await owed());
});

it('the journal of a closed month is the bytes of which the close stated the hash', async () => {
  const { bytes } = await journalOf('2025-12');
  expect(documentHash(bytes)).toBe(closed);
});
