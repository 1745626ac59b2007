import { readFileSync } from 'node:fs';
import { adminStage } from '../../../../test/setup/stages.js';
import {
  BUYER,
  caughtUp,
  completeParties,
  customer,
} from '../../../../test/setup/invoicing-stage.js';
import type {
  BankProposals,
  BookedBankEntries,
} from '#rest/bank-statements/bank-statement.schemas.js';
import { camtOf, type SampleEntry } from './bank-scene.suite.js';

const stage = adminStage();
const SAMPLE = readFileSync(new URL('samples/statement-08.xml', import.meta.url));
let count = 0;

/** A customer of this name, and its invoices of these amounts. */
async function owing(name: string, prices: readonly number[]) {
  const id = await customer(stage, { test_clock: undefined, plan: null });
  await completeParties(stage, id, { ...BUYER, name, tax: { category: 'O', rate_percent: 0 } });
  const numbers: string[] = [];
  for (const price of prices) {
    const grant = { credits: 10, kind: 'purchased', price };
    const { json } = await stage.post(`/accounts/${id}/grants`, grant);
    numbers.push(String(json['invoice_number']));
  }
  return { id, numbers };
}

async function propose(raw: string | Buffer, type = 'application/xml') {
  await caughtUp(stage);
  const headers = { 'content-type': type };
  const path = '/admin/v1/bank-statements/proposals';
  const { status, json, text } = await stage.ask('POST', path, { raw: String(raw), headers });
  if (status !== 200) throw new Error(text);
  return json as unknown as BankProposals;
}

/** The proposals as somebody confirms them, with another choice for some. */
function confirming({ entries }: BankProposals, members: object = {}) {
  return entries
    .filter(({ outcome }) => outcome === 'proposed')
    .map(({ id, account_id, amount, currency, date, bank_reference, apply }) => {
      return {
        id,
        account_id,
        amount,
        currency,
        date,
        reference: bank_reference,
        apply,
        ...members,
      };
    });
}

async function book(entries: readonly object[], key?: string) {
  const { status, json, text } = await stage.post('/bank-statements/payments', { entries }, key);
  if (status !== 200) throw new Error(text);
  return json as unknown as BookedBankEntries;
}

const paid = (amount: number, text: string, name = 'Nobody'): SampleEntry => {
  return { amount, text, name, reference: `B${(count += 1)}` };
};

async function receivables(id: string) {
  return (await stage.get(`/accounts/${id}/receivables`)).json;
}

it('proposes what a statement pays, books what is confirmed, and neither twice', async () => {
  const { id, numbers } = await owing('Nails & Co', [1_000, 2_000, 3_000]);
  const rosa = await owing('Rosa', [4_000]);
  const file = camtOf([
    paid(1_000, `Rechnung ${numbers[0]}`),
    paid(2_500, `${numbers[1]}`),
    paid(4_000, 'November', 'ROSA'),
    paid(77, 'Hello', 'Somebody'),
    paid(-50, 'Fees'),
  ]);
  const proposals = await propose(file);
  expect(proposals).toMatchObject({
    format: 'camt.053.001.08',
    statements: [{ adds_up: true }],
    entries: [
      { outcome: 'proposed', account_id: id, account_name: expect.any(String), remains: 0 },
      { outcome: 'proposed', account_id: id, credit_balance: 500 },
      { outcome: 'proposed', account_id: rosa.id, reason: expect.stringContaining('Amount and') },
      { outcome: 'unmatched', account_id: null },
      { outcome: 'ignored', amount: -50 },
    ],
    totals: [
      {
        currency: 'EUR',
        read: 7_527,
        outcomes: [
          { outcome: 'proposed', entries: 3, amount: 7_500 },
          { outcome: 'already_booked', entries: 0, amount: 0 },
          { outcome: 'ambiguous', entries: 0, amount: 0 },
          { outcome: 'unmatched', entries: 1, amount: 77 },
          { outcome: 'ignored', entries: 1, amount: -50 },
        ],
      },
    ],
  });
  expect(await receivables(id)).toMatchObject({ balance: 6_000 });

  const confirmed = confirming(proposals);
  const booked = await book(confirmed);
  expect(booked.totals).toEqual([{ currency: 'EUR', payments: 3, amount: 7_500 }]);
  expect(booked.entries.map(({ outcome }) => outcome)).toEqual(['booked', 'booked', 'booked']);
  expect(await receivables(id)).toMatchObject({ balance: 2_500, credit_balance: 500 });

  const again = await book(confirmed);
  expect(again).toEqual({
    entries: booked.entries.map((one) => ({ ...one, outcome: 'already_booked' })),
    totals: [],
  });
  expect((await propose(file)).entries.map(({ outcome }) => outcome)).toEqual([
    'already_booked',
    'already_booked',
    'already_booked',
    'unmatched',
    'ignored',
  ]);
  const { json: audit } = await stage.get('/audit?limit=1000');
  expect(JSON.stringify(audit)).toContain('BankEntriesConfirmed');
});

it('keeps an entry for the account for which it was confirmed first', async () => {
  const one = await owing('First', [500]);
  const other = await owing('Second', [500]);
  const confirmed = confirming(await propose(camtOf([paid(500, `${one.numbers[0]}`)])));
  const elsewhere = confirmed.map((entry) => ({ ...entry, account_id: other.id, apply: [] }));
  const made = await Promise.all([book(confirmed), book(elsewhere), book(confirmed)]);
  const outcomes = made.flatMap(({ entries }) => entries.map(({ outcome }) => outcome));
  expect(outcomes.filter((outcome) => outcome === 'booked')).toHaveLength(1);
  const balances = [await receivables(one.id), await receivables(other.id)];
  expect(
    balances.map(({ balance }) => Number(balance)).toSorted((one, other) => one - other),
  ).toEqual([0, 500]);
  const late = await book(elsewhere);
  const early = await book(confirmed);
  expect(
    [late, early].flatMap(({ entries }) => entries.map((of) => of.outcome)).toSorted(),
  ).toEqual(['already_booked', 'refused']);
});

it('refuses one entry with its reason, books the others, and takes it corrected', async () => {
  const { id, numbers } = await owing('Refused', [300, 400]);
  const file = camtOf([paid(300, `${numbers[0]}`), paid(400, `${numbers[1]}`)]);
  const confirmed = confirming(await propose(file));
  const [first, second] = confirmed;
  const tooMuch = { ...first, apply: [{ number: numbers[1], amount: 401 }] };
  const early = { ...second, date: '2020-01-01' };
  const strange = { ...second, id: first?.id, account_id: '0198f0a0-0000-7000-8000-000000000001' };
  const currency = { ...first, id: second?.id, currency: 'USD' };
  for (const [entry, detail] of [
    [tooMuch, `At most EUR 4.00 of ${numbers[1]} is due.`],
    [early, 'A date from '],
    [strange, 'There is no such account.'],
    [currency, 'The account is in EUR, the payment in USD.'],
  ] as const) {
    const { entries } = await book([entry]);
    expect(entries).toMatchObject([{ outcome: 'refused', payment_id: null, amount: 0 }]);
    expect(entries[0]?.detail).toContain(detail);
  }
  const made = await book([tooMuch, ...confirmed.slice(1)]);
  expect(made.entries.map(({ outcome }) => outcome)).toEqual(['refused', 'booked']);
  expect((await book(confirmed)).totals).toEqual([{ currency: 'EUR', payments: 1, amount: 300 }]);
  expect(await receivables(id)).toMatchObject({ balance: 0 });
});

it('dates a payment today where the books of its month are closed', async () => {
  const { id } = await owing('Late', [100]);
  const file = camtOf([{ ...paid(100, 'x', 'Late'), date: '2026-10-30' }]);
  expect((await propose(file)).entries).toMatchObject([{ date: '2026-10-30' }]);
  const reason = { reason: 'The month is filed.' };
  const closed = await stage.post('/periods/2026-10/close', reason);
  expect(closed.status).toBe(200);
  const proposals = await propose(file);
  expect(proposals.entries).toMatchObject([
    { outcome: 'proposed', date: null, reason: expect.stringContaining('books of its month') },
  ]);
  expect((await book(confirming(proposals))).entries).toMatchObject([{ outcome: 'booked' }]);
  const { json } = await stage.get(`/accounts/${id}/receivables`);
  expect(JSON.stringify(json)).toContain('2026-11-24');
});

it('refuses a file with its faults, other types, and a booking of nothing', async () => {
  const path = '/admin/v1/bank-statements/proposals';
  const ask = (raw: string, type: string) =>
    stage.ask('POST', path, { raw, headers: { 'content-type': type } });
  const { status, json } = await ask('date;amount;currency\nx;y;EUR\n', 'text/csv');
  expect(status).toBe(400);
  expect((json['errors'] as unknown[]).length).toBe(2);
  expect((await ask(String(SAMPLE), 'application/x-ndjson')).status).toBe(415);
  expect((await ask(' '.repeat(3 * 1024 * 1024), 'text/csv')).status).toBe(413);
  const empty = await stage.post('/bank-statements/payments', { entries: [] });
  expect(empty.status).toBe(400);
});
