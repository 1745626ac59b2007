import { randomUUID } from 'node:crypto';
import { itemsOf } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import {
  BUYER,
  customer,
  DECEMBER,
  moveClock,
  numbersOf,
  SELLER,
} from '../../../../test/setup/invoicing-stage.js';
import {
  balances,
  buyer,
  eventsOf,
  MONTHLY,
  netOf,
  owed,
  PURCHASE,
  TAXED,
  use,
  voided,
} from './refunds-stage.suite.js';

const NO_NOTE = { credit_note_id: null, credit_note_number: null };

const stage = adminStage();

beforeAll(async () => {
  await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
});

describe('a purchase on the invoice of its month', () => {
  it('is not billed where it was voided before, and nothing becomes revenue', async () => {
    const { id, grant } = await buyer(stage, MONTHLY);
    const { json } = await voided(stage, id, grant);
    expect(json).toMatchObject({
      ...NO_NOTE,
      refund: 12_500,
      refund_by: 'no_invoice',
      forfeited: 0,
    });
    expect(await eventsOf(stage, id, 'GrantVoided')).toMatchObject([
      { credits: 1_000, left: 0, refund: 12_500, refund_by: 'no_invoice' },
    ]);
    await moveClock(stage, id, DECEMBER);
    expect(await netOf(stage, id)).toEqual([[], []]);
    expect(await balances(stage, id)).toEqual({});
  });

  it('bills what was used of it where the rest was voided before', async () => {
    const { id, grant } = await buyer(stage, MONTHLY);
    await use(stage, id);
    const { json } = await voided(stage, id, grant);
    expect(json).toMatchObject({ ...NO_NOTE, credits_taken_back: 965, refund_by: 'lower_invoice' });
    await moveClock(stage, id, DECEMBER);
    expect(await netOf(stage, id)).toEqual([[438], []]);
    expect(await balances(stage, id)).toEqual({ 1200: 526, 2200: -88, 4020: -438 });
  });

  it('is billed, and credited once it is, where it was voided after its month', async () => {
    const { id, grant } = await buyer(stage, MONTHLY);
    await use(stage, id);
    await moveClock(stage, id, DECEMBER);
    await voided(stage, id, grant);
    await voided(stage, id, grant);
    expect(await eventsOf(stage, id, 'CreditNoteSealed')).toMatchObject([
      { grant_id: grant, net: 12_062, tax: 2_412, lines: [[3, 12_062]] },
    ]);
    expect(await netOf(stage, id)).toEqual([[12_500], [-12_062]]);
    expect(await owed(stage, id, '2026-12')).toMatchObject({
      voided: { credits: 965, amount: 12_062 },
      closing: { credits: 0, amount: 0 },
    });
    expect(await balances(stage, id)).toEqual({ 1200: 526, 2200: -88, 4020: -438 });
  });

  it('is forfeited where nothing is given back: that is breakage', async () => {
    const { id, grant } = await buyer(stage, MONTHLY);
    await use(stage, id);
    const body = { refund: false, reason: 'Against the terms.' };
    const { json } = await voided(stage, id, grant, body);
    expect(json).toMatchObject({ ...NO_NOTE, refund: 0, refund_by: null, forfeited: 12_062 });
    await moveClock(stage, id, DECEMBER);
    expect(await netOf(stage, id)).toEqual([[12_500], []]);
    const sums = { 1200: 15_000, 2200: -2_500, 4020: -438, 4030: -12_062 };
    expect(await balances(stage, id)).toEqual(sums);
  });
});

it('a list of grants states what a void gives back, and how: it does just that', async () => {
  const cases = [
    { billing: MONTHLY, isUsed: false, by: 'no_invoice', refund: 12_500 },
    { billing: MONTHLY, isUsed: true, by: 'lower_invoice', refund: 12_062 },
    { billing: TAXED, isUsed: true, by: 'credit_note', refund: 12_062 },
  ];
  for (const { billing, isUsed, by, refund } of cases) {
    const { id, grant } = await buyer(stage, billing);
    if (isUsed) await use(stage, id);
    const listed = async () => itemsOf(await stage.get(`/accounts/${id}/grants`))[0];
    expect(await listed()).toMatchObject({ refund, refund_by: by });
    expect((await voided(stage, id, grant)).json).toMatchObject({ refund, refund_by: by });
    expect(await listed()).toMatchObject({ left: 0, refund: 0, refund_by: null });
  }
});

describe('a credit note for a purchase', () => {
  it('takes unused credits with it, at most all of them', async () => {
    const { id } = await buyer(stage, MONTHLY);
    await use(stage, id);
    await moveClock(stage, id, DECEMBER);
    const [number = ''] = await numbersOf(stage, id);
    const credit = (body: object) => stage.post(`/invoices/${number}/credit-notes`, body);
    const part = (amount: number) => ({ reason: 'Agreed.', lines: [{ line: 3, amount }] });
    const refused = await credit(part(12_063));
    expect(refused.json).toMatchObject({ code: 'conflict' });
    expect(refused.json['detail']).toContain('At most EUR 120.62 of purchase');
    expect((await stage.post(`/invoices/${number}/void`)).json).toMatchObject({ code: 'conflict' });
    expect((await credit(part(5_000))).json).toMatchObject({ net: -5_000, tax: -1_000 });
    // 5,000 of 12,062 for 400 of 965 credits.
    const [gone] = await eventsOf(stage, id, 'GrantVoided');
    expect(gone).toMatchObject({ credits: 400, left: 565, refund: 5_000 });
    expect((await stage.get(`/accounts/${id}`)).json).toMatchObject({ balance: 565 });
    expect((await credit(part(7_063))).json).toMatchObject({ code: 'conflict' });
    expect((await credit(part(7_062))).json).toMatchObject({ net: -7_062 });
    expect((await stage.get(`/accounts/${id}`)).json).toMatchObject({ balance: 0 });
    expect(await owed(stage, id, '2026-12')).toMatchObject({
      voided: { credits: 965, amount: 12_062 },
      closing: { credits: 0, amount: 0 },
    });
    expect(await balances(stage, id)).toEqual({ 1200: 526, 2200: -88, 4020: -438 });
  });
});

describe('a purchase with an invoice of its own', () => {
  it('is invoiced when it is made, and the answer names its invoice', async () => {
    const { id, grant, sold } = await buyer(stage, TAXED);
    const number = String(sold.json['invoice_number']);
    const { json } = await stage.get(`/invoices/${number}`);
    expect(json).toMatchObject({
      id: sold.json['invoice_id'],
      month: '2026-11',
      period: { from: '2026-11-24', to: '2026-11-24' },
      issue_date: '2026-11-24',
      due_date: '2026-12-08',
      lines: [{ n: 1, type: 'purchase', grant_id: grant, granted_credits: 1_000, amount: 12_500 }],
      net: 12_500,
      tax: 2_500,
      total: 15_000,
    });
    expect(await eventsOf(stage, id, 'CreditsGranted')).toMatchObject([{ invoiced: 'at_once' }]);
    const [listed] = itemsOf(await stage.get(`/accounts/${id}/grants`));
    expect(listed).toMatchObject({ invoice_id: json['id'], invoice_number: number });
    await use(stage, id);
    await moveClock(stage, id, DECEMBER);
    // The purchase is not billed again.
    expect(await netOf(stage, id)).toEqual([[12_500], []]);
    expect(await balances(stage, id)).toEqual({
      1200: 15_000,
      2200: -2_500,
      2400: -12_062,
      4020: -438,
    });
  });

  it('is asked for again under its key with the same answer, and invoiced once', async () => {
    const id = await customer(stage, { plan: undefined });
    const key = randomUUID();
    const first = await stage.post(`/accounts/${id}/grants`, PURCHASE, key);
    const again = await stage.post(`/accounts/${id}/grants`, PURCHASE, key);
    expect(again.json).toEqual(first.json);
    expect(await netOf(stage, id)).toEqual([[12_500], []]);
  });

  it('is credited for its unused part in the decision that voids it, once', async () => {
    const { id, grant } = await buyer(stage, TAXED);
    await use(stage, id);
    const { json } = await voided(stage, id, grant, { reason: 'Asked for.' });
    const [note] = itemsOf(await stage.get(`/credit-notes?account_id=${id}`));
    expect(json).toEqual({
      id: grant,
      credits_taken_back: 965,
      currency: 'EUR',
      refund: 12_062,
      refund_by: 'credit_note',
      forfeited: 0,
      credit_note_id: note?.['id'],
      credit_note_number: note?.['number'],
      balance: 0,
    });
    const shown = await stage.get(`/credit-notes/${String(note?.['number'])}`);
    expect(shown.json).toMatchObject({ credits_taken_back: 965, credits_kept: 0 });
    expect((await voided(stage, id, grant)).json).toMatchObject({
      ...NO_NOTE,
      credits_taken_back: 0,
    });
    expect(await eventsOf(stage, id, 'GrantVoided')).toMatchObject([
      { credits: 965, left: 0, refund: 12_062, refund_by: 'credit_note' },
    ]);
    expect(await netOf(stage, id)).toEqual([[12_500], [-12_062]]);
    await moveClock(stage, id, DECEMBER);
    expect(await balances(stage, id)).toEqual({ 1200: 526, 2200: -88, 4020: -438 });
  });

  it('names its credit note without a number while that waits for one', async () => {
    const { id, grant } = await buyer(stage, TAXED);
    const { numbering } = stage.invoicing;
    const away = jest.spyOn(numbering, 'number').mockResolvedValue(new Map());
    const { json } = await voided(stage, id, grant);
    expect(json).toMatchObject({ refund_by: 'credit_note', credit_note_number: null });
    away.mockRestore();
    await stage.invoicing.invoiceAccount(id);
    const [note] = itemsOf(await stage.get(`/credit-notes?account_id=${id}`));
    expect(note).toMatchObject({ id: json['credit_note_id'], net: -12_500 });
  });

  it('forfeits only what a credit note has not given back before', async () => {
    const { id, grant, sold } = await buyer(stage, TAXED);
    const part = { reason: 'Agreed.', lines: [{ line: 1, amount: 5_000 }] };
    await stage.post(`/invoices/${String(sold.json['invoice_number'])}/credit-notes`, part);
    const { json } = await voided(stage, id, grant, { refund: false });
    expect(json).toMatchObject({ credits_taken_back: 600, refund: 0, forfeited: 7_500 });
    expect(await balances(stage, id)).toMatchObject({ 4030: -7_500 });
  });

  it('is forfeited where nothing is given back', async () => {
    const { id, grant } = await buyer(stage, TAXED);
    await voided(stage, id, grant, { refund: false });
    expect(await netOf(stage, id)).toEqual([[12_500], []]);
    expect(await balances(stage, id)).toEqual({ 1200: 15_000, 2200: -2_500, 4030: -12_500 });
  });

  it('stays on its month where the purchase says nothing else, as in older logs', async () => {
    const { id, sold } = await buyer(stage, MONTHLY);
    expect(sold.json).toMatchObject({ invoice_id: null, invoice_number: null });
    // From here on purchases are invoiced at once; the one before is not billed twice.
    await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body: { ...BUYER, ...TAXED } });
    const other = await stage.post(`/accounts/${id}/grants`, { ...PURCHASE, price: 700 });
    expect(other.json['invoice_number']).toMatch(/^TEST-INV-/);
    await moveClock(stage, id, DECEMBER);
    expect(await netOf(stage, id)).toEqual([[700, 12_500], []]);
  });
});
