import { parse } from 'csv-parse/sync';
import { AdminStage, itemsOf, type Answered } from '../admin/admin-stage.suite.js';
import {
  BUYER,
  customer,
  DECEMBER,
  moveClock,
  NOVEMBER,
  SELLER,
  TOP_5,
} from '../invoicing/invoicing-stage.suite.js';

type Row = Readonly<Record<string, string>>;

const MONTHS = ['2026-11', '2026-12', '2027-01'];
const TAX = { category: 'S', rate_percent: 20 };
const PLAN = {
  monthly_fee: 4_900,
  included_credits: 1_000,
  price_per_1000_credits: 1_250,
  tax: TAX,
};

const MOVED = { ...BUYER, tax: TAX, address: { ...BUYER.address, line1: '2 High Street' } };

let stage: AdminStage;
let id: string;
let purchase: Readonly<Record<string, unknown>>;
/** Number of December's invoice. */
let invoice: string;

beforeAll(async () => {
  stage = await AdminStage.open();
  await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
  id = await customer(stage, { plan: undefined });
  const body = { ...BUYER, tax: TAX };
  await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body });
});

afterAll(async () => {
  expect(stage.errors).toEqual([]);
  await stage.close();
});

async function done(answer: Promise<Answered>): Promise<Readonly<Record<string, unknown>>> {
  const { status, json, text } = await answer;
  if (status > 299) throw new Error(text);
  return json;
}

function pay(number: unknown, amount: number) {
  return done(stage.post(`/invoices/${String(number)}/payments`, { amount }));
}

/** The rows of the journal of all months. */
async function journal(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const month of MONTHS) {
    const path = `/exports/invoices?format=journal&test=true&issued_month=${month}`;
    rows.push(...(parse((await stage.get(path)).text, { columns: true }) as Row[]));
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

/** Closing balance of the liability report in the month of the account. */
async function owed(): Promise<number> {
  const now = String((await stage.get(`/accounts/${id}`)).json['test_clock']);
  const path = `/exports/credit-liability?test=true&month=${now.slice(0, '2026-11'.length)}`;
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
      () => stage.call(id, { resource: TOP_5, at: Date.parse(NOVEMBER) }),
      { 1200: 15_000, 2200: -2_500, 2400: -12_062, 4020: -438 },
    ],
    [
      'agrees on a plan, and November ends',
      async () => {
        const terms = { plan: PLAN, overdraft_credits: null };
        await done(stage.ask('PATCH', `/admin/v1/accounts/${id}`, { body: terms }));
        await done(moveClock(stage, id, DECEMBER));
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
      () => stage.call(id, { at: Date.parse(DECEMBER) }),
      { 1000: 526, 2200: -88, 4020: -438 },
    ],
    [
      'ends December, which is invoiced',
      async () => {
        await done(moveClock(stage, id, '2027-01-01T00:00:00Z'));
        const listed = itemsOf(await stage.get(`/invoices?account_id=${id}&month=2026-12`));
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
  ];

it.each(STORY)('an accountant %s', async (_, act, books) => {
  await act();
  const rows = await journal();
  const balances = balancesOf(rows);
  expect(balances).toEqual(books);
  expect(Object.values(balances).reduce((sum, balance) => sum + balance, 0)).toBe(0);
  expect(0 - (balances['2400'] ?? 0)).toBe(await owed());
});
