import { parse } from 'csv-parse/sync';
import { terms } from '#account/scenario.suite.js';
import { verifyInvoice } from '#projections/verify/verify-invoice.js';
import type { Receivables } from '#rest/receivables/receivables.schemas.js';
import type { Summary } from '#rest/summary/summary.schemas.js';
import { itemsOf, type Answered } from '../../../test/setup/admin-stage.js';
import { adminStage } from '../../../test/setup/stages.js';
import { customer, SELLER } from '../../../test/setup/invoicing-stage.js';

const { calendar } = terms;
const stage = adminStage();

beforeAll(async () => {
  await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
});

async function done(answer: Promise<Answered>): Promise<Readonly<Record<string, unknown>>> {
  const { status, json, text } = await answer;
  if (status > 299) throw new Error(text);
  return json;
}

/** A customer without tax, and the numbers of invoices of these prices. */
async function owing(prices: readonly number[]): Promise<{ id: string; numbers: string[] }> {
  const id = await customer(stage, { plan: undefined });
  const numbers: string[] = [];
  for (const price of prices) numbers.push(await sold(id, price));
  return { id, numbers };
}

async function sold(id: string, price: number): Promise<string> {
  const body = { credits: 1_000, kind: 'purchased', price };
  return String((await done(stage.post(`/accounts/${id}/grants`, body)))['invoice_number']);
}

async function stateOf(number: string): Promise<unknown> {
  return (await stage.get(`/invoices/${number}`)).json['state'];
}

/** Debits less credits by account of the journal of November. */
async function booksOf(id: string): Promise<Record<string, number>> {
  const path = '/exports/invoices?format=journal&test=true&issued_month=2026-11';
  const rows = parse((await stage.get(path)).text, { columns: true }) as Record<string, string>[];
  const sums: Record<string, number> = {};
  for (const { account_id, ledger_account: code = '', debit_minor, credit_minor } of rows) {
    if (account_id !== id) continue;
    sums[code] = (sums[code] ?? 0) + Number(debit_minor) - Number(credit_minor);
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

it('pays what is due first, keeps the rest, and pays a later invoice with it', async () => {
  const { id, numbers } = await owing([1_000, 2_000]);
  const first = await stage.post(`/accounts/${id}/payments`, { amount: 1_500, reference: 'R1' });
  expect(first.status).toBe(201);
  expect(first.json).toMatchObject({
    amount: 1_500,
    currency: 'EUR',
    reference: 'R1',
    applied: [
      { number: numbers[0], amount: 1_000 },
      { number: numbers[1], amount: 500 },
    ],
    credit_balance_change: 0,
  });
  expect(await stateOf(numbers[1] ?? '')).toMatchObject({ status: 'partly_paid', due: 1_500 });
  const second = await stage.post(`/accounts/${id}/payments`, { amount: 4_000 });
  expect(second.json).toMatchObject({ credit_balance_change: 2_500 });
  expect(await booksOf(id)).toEqual({ 1000: 5_500, 2300: -2_500, 2400: -3_000 });

  const later = await sold(id, 1_800);

  expect(await stateOf(later)).toEqual({ status: 'paid', paid: 1_800, credited: 0, due: 0 });
  const { json } = await stage.get(`/invoices/${later}`);
  expect(json['payments']).toMatchObject([{ amount: 1_800, source: 'credit_balance' }]);
  expect([json['total'], json['prepaid']]).toEqual([1_800, 1_800]);
  const { text: xml } = await stage.get(`/invoices/${later}.xml`);
  expect(xml).toContain('<cbc:PrepaidAmount currencyID="EUR">18.00</cbc:PrepaidAmount>');
  expect(xml).toContain('<cbc:PayableAmount currencyID="EUR">0.00</cbc:PayableAmount>');
  expect((await verifyInvoice(stage.pool, later, calendar))?.intact).toBe(true);
  expect(await booksOf(id)).toEqual({ 1000: 5_500, 2300: -700, 2400: -4_800 });
});

it('records a payment once, however often it is sent', async () => {
  const { id } = await owing([1_000]);
  const asked = await Promise.all(
    [1, 2, 3, 4].map(() => stage.post(`/accounts/${id}/payments`, { amount: 900 }, 'pay-1')),
  );
  expect(asked.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(new Set(asked.map(({ json }) => json['id'])).size).toBe(1);
  expect(await booksOf(id)).toEqual({ 1000: 900, 1200: 100, 2400: -1_000 });
  const other = await stage.post(`/accounts/${id}/payments`, { amount: 901 }, 'pay-1');
  expect([other.status, other.json['code']]).toEqual([422, 'idempotency-conflict']);
});

it('pays the invoices that it names, also with the credit balance alone', async () => {
  const { id, numbers } = await owing([1_000, 2_000]);
  const apply = [{ number: numbers[1], amount: 700 }];
  const paid = await stage.post(`/accounts/${id}/payments`, { amount: 1_000, apply });
  expect(paid.json).toMatchObject({ applied: apply, credit_balance_change: 300 });
  const used = { amount: 0, apply: [{ number: numbers[0], amount: 300 }] };
  expect((await stage.post(`/accounts/${id}/payments`, used)).json).toMatchObject({
    credit_balance_change: -300,
  });
  expect(await booksOf(id)).toEqual({ 1000: 1_000, 1200: 2_000, 2400: -3_000 });
  const refused = [
    [{ amount: 0 }, 400],
    [{ amount: -5 }, 400],
    [{ amount: 10, apply: [{ number: 'INV-999999', amount: 1 }] }, 400],
    [{ amount: 10, apply: [{ number: numbers[0], amount: 11 }] }, 409],
    [{ amount: 5_000, apply: [{ number: numbers[0], amount: 701 }] }, 409],
    [{ amount: 10, date: '2026-12-24' }, 400],
  ] as const;
  for (const [body, status] of refused) {
    const answer = await stage.post(`/accounts/${id}/payments`, body);
    expect([body, answer.status]).toEqual([body, status]);
  }
});

it('pays back the credit balance, and what was credited after it was paid', async () => {
  const { id, numbers } = await owing([1_000]);
  await done(stage.post(`/accounts/${id}/payments`, { amount: 1_200 }));
  await done(stage.post(`/invoices/${String(numbers[0])}/void`));
  const refused = await stage.post(`/accounts/${id}/refunds`, { amount: 1_201 });
  expect([refused.status, refused.json['code']]).toEqual([409, 'conflict']);
  const refund = await stage.post(`/accounts/${id}/refunds`, { amount: 1_100 }, 'refund-1');
  expect(refund.status).toBe(201);
  expect(refund.json).toMatchObject({
    applied: [{ number: numbers[0], amount: 1_000 }],
    credit_balance_change: -100,
  });
  const again = await stage.post(`/accounts/${id}/refunds`, { amount: 1_100 }, 'refund-1');
  expect(again.json).toEqual(refund.json);
  expect(await booksOf(id)).toEqual({ 1000: 100, 2300: -100 });
  expect(await stateOf(numbers[0] ?? '')).toMatchObject({ status: 'credited', paid: 0, due: 0 });
});

it('keeps what a void invoice was paid as credit balance where that is asked for', async () => {
  const { id, numbers } = await owing([1_000]);
  await done(stage.post(`/accounts/${id}/payments`, { amount: 600 }));
  const body = { settlement: 'credit_balance' };
  const note = await done(stage.post(`/invoices/${String(numbers[0])}/void`, body));
  const settlement = { set_off: 400, refund: 0, credit_balance: 600 };
  expect(note).toMatchObject({ settlement });
  expect(await booksOf(id)).toEqual({ 1000: 600, 2300: -600 });
  const later = await sold(id, 1_000);
  expect(await stateOf(later)).toMatchObject({ status: 'partly_paid', paid: 600, due: 400 });
});

it('pays a reissued invoice with what the void one was paid', async () => {
  const { id, numbers } = await owing([1_000]);
  await done(stage.post(`/accounts/${id}/payments`, { amount: 1_000 }));
  const body = { reason: 'Moved.', reissue: true };
  const note = await done(stage.post(`/invoices/${String(numbers[0])}/void`, body));
  expect(await stateOf(String(note['reissued_as']))).toMatchObject({ status: 'paid', due: 0 });
  expect(await booksOf(id)).toEqual({ 1000: 1_000, 2400: -1_000 });
});

it('writes off what is not expected any more, and takes that back', async () => {
  const { id, numbers } = await owing([1_000]);
  const [number = ''] = numbers;
  const path = `/accounts/${id}/write-offs`;
  const whole = await stage.post(path, { number, reason: 'Insolvent.' }, 'write-off-1');
  expect(whole.json).toMatchObject({
    amount: 1_000,
    invoice_number: number,
    state: { status: 'written_off', written_off: 1_000, due: 0 },
  });
  expect(await booksOf(id)).toEqual({ 2400: -1_000, 6000: 1_000 });
  const more = await stage.post(path, { number, amount: 1, reason: 'Insolvent.' });
  expect([more.status, more.json['due']]).toEqual([409, 0]);
  await done(stage.post(path, { number, amount: -400, reason: 'A quota was paid.' }));
  await done(stage.post(`/invoices/${number}/payments`, { amount: 400 }));
  expect(await booksOf(id)).toEqual({ 1000: 400, 2400: -1_000, 6000: 600 });
  await done(stage.post(`/invoices/${number}/void`));
  expect(await booksOf(id)).toEqual({ 1000: 400, 1200: -400 });
  const listed = itemsOf(await stage.get(`/invoices?account_id=${id}`));
  expect(listed).toMatchObject([{ state: { status: 'credited', due: -400 } }]);
});

it('states what an account owes, for how long, and how it came about', async () => {
  const { id, numbers } = await owing([1_000, 2_000]);
  const { id: other } = await owing([5_000]);
  await done(stage.post(`/accounts/${id}/payments`, { amount: 1_100, reference: 'R1' }));
  await done(stage.post(`/accounts/${id}/test-clock`, { now: '2026-12-20T12:00:00Z' }));
  const [first, second] = numbers;
  const path = `/accounts/${id}/receivables`;
  const { json, status } = await stage.get(path);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    account_id: id,
    currency: 'EUR',
    date: '2026-12-20',
    balance: 1_900,
    owed: 1_900,
    overdue: 1_900,
    to_refund: 0,
    credit_balance: 0,
    ageing: { not_due: 0, days_1_30: 1_900, days_31_60: 0, days_61_90: 0, over_90: 0 },
    open: [{ number: second, due: 1_900, paid: 100, days_overdue: 12, age: 'days_1_30' }],
  });
  const entries = json['entries'] as Record<string, unknown>[];
  expect(entries.map((one) => [one['type'], one['number'], one['amount'], one['balance']])).toEqual(
    [
      ['invoice', first, 1_000, 1_000],
      ['invoice', second, 2_000, 3_000],
      ['payment', null, -1_100, 1_900],
    ],
  );
  const csv = await stage.ask('GET', `/admin/v1${path}`, { headers: { accept: 'text/csv' } });
  const rows = parse(csv.text, { columns: true }) as Record<string, string>[];
  expect(rows).toHaveLength(3);
  expect(rows[1]).toMatchObject({ number: second, due: '19.00', age: 'days_1_30' });
  expect(rows[2]).toMatchObject({ reference: 'R1', amount: '-11.00', balance_minor: '1900' });
  expect((await stage.get(`/accounts/${other}/receivables`)).json).toMatchObject({ owed: 5_000 });
});

it('refuses dates in closed periods', async () => {
  const { id, numbers } = await owing([1_000]);
  const date = '2026-10-31';
  const close = { reason: 'Handed over.' };
  await done(stage.post('/periods/2026-10/close', close));
  const asked = [
    ['payments', { amount: 10, date }],
    ['write-offs', { number: numbers[0], date, reason: 'Insolvent.' }],
  ] as const;
  for (const [path, body] of asked) {
    const answer = await stage.post(`/accounts/${id}/${path}`, body);
    expect([path, answer.status, answer.json['code']]).toEqual([path, 409, 'conflict']);
  }
  await done(stage.post(`/accounts/${id}/payments`, { amount: 2_000 }));
  const refund = await stage.post(`/accounts/${id}/refunds`, { amount: 10, date });
  expect([refund.status, refund.json['code']]).toEqual([409, 'conflict']);
});

it('exports payments, refunds and write-offs by invoice, and their rest', async () => {
  const { id, numbers } = await owing([1_000, 500]);
  await done(stage.post(`/accounts/${id}/payments`, { amount: 1_200 }));
  await done(stage.post(`/accounts/${id}/write-offs`, { number: numbers[1], reason: 'Lost.' }));
  await done(stage.post(`/accounts/${id}/payments`, { amount: 50 }));
  await done(stage.post(`/accounts/${id}/refunds`, { amount: 20 }));
  const path = '/exports/invoices?format=jsonl&test=true&issued_month=2026-11';
  const rows = (await stage.get(path)).text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((row) => row['account_id'] === id && row['recorded_at'] !== undefined);
  const [first, second] = numbers;
  expect(rows.map((row) => [row['type'], row['invoice_number'], row['amount']])).toEqual([
    ['payment', first, 1_000],
    ['payment', second, 200],
    ['write_off', second, 300],
    ['payment', null, 50],
    ['refund', null, -20],
  ]);
});

it('is summed up in the summary as the statements of account have it', async () => {
  const real = { test_clock: undefined, plan: undefined };
  const before = stage.now;
  const customers: string[] = [];
  for (const [index, days] of [95, 40, 10, 0].entries()) {
    stage.now = before + (95 - days) * 86_400_000;
    const id = await customer(stage, index === 3 ? { ...real, currency: 'USD' } : real);
    await sold(id, 1_000 * (index + 1));
    customers.push(id);
  }
  await done(stage.post(`/accounts/${customers[0]}/payments`, { amount: 300 }));
  const { json } = await stage.get('/summary');
  const { money } = json as unknown as Summary;
  expect(money.map(({ currency }) => currency)).toEqual(['EUR', 'USD']);
  const sums: Record<string, Record<string, number>> = { EUR: {}, USD: {} };
  for (const id of customers) {
    const answer = (await stage.get(`/accounts/${id}/receivables`)).json as unknown as Receivables;
    const sum = sums[answer.currency] ?? {};
    const parts = { due: answer.owed, overdue: answer.overdue, ...answer.ageing };
    for (const [name, amount] of Object.entries(parts)) sum[name] = (sum[name] ?? 0) + amount;
  }
  for (const { currency, due, overdue, ageing, months } of money) {
    expect({ due, overdue, ...ageing }).toEqual(sums[currency]);
    expect(months).toHaveLength(2);
  }
  expect(money[0]).toMatchObject({ due: 5_700, overdue_invoices: 2 });
  stage.now = before;
});
