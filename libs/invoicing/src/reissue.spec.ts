import { idOf, itemsOf } from '../../../test/setup/admin-stage.js';
import { adminStage } from '../../../test/setup/stages.js';
import { verifyInvoice } from '#projections/verify/verify-invoice.js';
import { terms } from '#account/scenario.suite.js';
import {
  BUYER,
  customer,
  invoiced,
  SELLER,
  TOP_5,
  NOVEMBER,
} from '../../../test/setup/invoicing-stage.js';

const stage = adminStage();

const REISSUE = { reason: 'The address was wrong.', reissue: true };

beforeAll(async () => {
  await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
});

function bill(id: string, members: object) {
  const body = { ...BUYER, ...members };
  return stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body });
}

async function invoiceOf(number: unknown) {
  return (await stage.get(`/invoices/${String(number)}`)).json;
}

it('issues the lines of a void invoice again, with party and tax as they are now', async () => {
  const { id, number } = await invoiced(stage);
  const before = await invoiceOf(number);
  await bill(id, { name: 'Nails & Sons', tax: { category: 'Z', rate_percent: 0 } });
  await stage.ask('PATCH', `/admin/v1/accounts/${id}`, { body: { plan: null } });
  await stage.post(`/accounts/${id}/test-clock`, { now: '2027-01-10T00:00:00Z' });

  const voided = await stage.post(`/invoices/${number}/void`, REISSUE, 'reissue-1');

  expect(voided.status).toBe(201);
  expect(voided.json).toMatchObject({ type: 'credit_note', total: -78_785, invoice: { number } });
  const reissue = await invoiceOf(voided.json['reissued_as']);
  expect(reissue).toMatchObject({
    id: voided.json['reissued_as_id'],
    reissue_of: { number, issue_date: before['issue_date'] },
    issue_date: '2027-01-10',
    due_date: '2027-01-24',
    buyer: { name: 'Nails & Sons' },
    lines: before['lines'],
    net: before['net'],
    tax_breakdown: [{ category: 'Z', rate_percent: 0, taxable: before['net'], tax: 0 }],
    total: before['net'],
    account_version: before['account_version'],
    account_head: before['account_head'],
    state: { status: 'issued', due: before['net'] },
  });
  expect(await invoiceOf(number)).toMatchObject({
    state: { status: 'credited', due: 0 },
    reissued_as: reissue['number'],
    reissued_as_id: reissue['id'],
  });
  const { json } = await stage.get(`/invoices/${String(reissue['number'])}.json`);
  expect(json['reissue_of']).toEqual({ number, issue_date: before['issue_date'] });
  const xml = (await stage.get(`/invoices/${String(reissue['number'])}.xml`)).text;
  expect(xml).toContain(`<cac:InvoiceDocumentReference>\n<cbc:ID>${number}</cbc:ID>`);
  for (const one of [number, String(reissue['number'])]) {
    const report = await verifyInvoice(stage.pool, one, terms.calendar);
    expect(report?.rules.flatMap(({ differences }) => differences)).toEqual([]);
  }
});

it('issues it once, however often it is asked for', async () => {
  const { id, number } = await invoiced(stage);
  const asked = await Promise.all(
    [1, 2, 3].map(() => stage.post(`/invoices/${number}/void`, REISSUE, 'reissue-2')),
  );
  const answers = new Set(
    asked.map(({ json }) => `${String(json['number'])} ${String(json['reissued_as'])}`),
  );
  expect(answers.size).toBe(1);
  const other = await stage.post(`/invoices/${number}/void`, REISSUE);
  expect([other.status, other.json['code']]).toEqual([409, 'conflict']);
  expect(itemsOf(await stage.get(`/invoices?account_id=${id}`))).toHaveLength(2);
  expect(itemsOf(await stage.get(`/credit-notes?account_id=${id}`))).toHaveLength(1);
  const again = await stage.post(
    `/invoices/${String(asked[0]?.json['reissued_as'])}/void`,
    REISSUE,
  );
  expect(again.status).toBe(201);
});

it('moves no credits of a purchase, also where some are used, and refunds them later', async () => {
  const id = await customer(stage, { plan: undefined });
  await bill(id, { tax: { category: 'S', rate_percent: 20 } });
  const sold = { credits: 1_000, kind: 'purchased', price: 12_500 };
  const bought = await stage.post(`/accounts/${id}/grants`, sold);
  await stage.call(id, { resource: TOP_5, at: Date.parse(NOVEMBER) });
  const voided = await stage.post(
    `/invoices/${String(bought.json['invoice_number'])}/void`,
    REISSUE,
  );
  expect(voided.json).toMatchObject({ net: -12_500, total: -15_000 });
  expect((await stage.get(`/accounts/${id}`)).json['balance']).toBe(965);

  const path = `/admin/v1/accounts/${id}/grants/${idOf(bought)}`;
  await stage.ask('DELETE', path, { body: { reason: 'Not needed.' } });

  const reissued = voided.json['reissued_as'];
  const notes = itemsOf(await stage.get(`/credit-notes?account_id=${id}`));
  expect(notes.map((note) => [note['invoice_number'], note['net']])).toEqual([
    [bought.json['invoice_number'], -12_500],
    [reissued, -12_062],
  ]);
  expect(await invoiceOf(reissued)).toMatchObject({ state: { credited: 14_474, due: 526 } });
});

it('issues what was not credited before, and credits a call once', async () => {
  const { id, number, calls } = await invoiced(stage);
  await bill(id, {});
  const body = { reason: 'Agreed.', call_ids: [calls[1]] };
  const part = await stage.post(`/invoices/${number}/credit-notes`, body);
  const left = 66_206 + Number(part.json['net']);
  const voided = await stage.post(`/invoices/${number}/void`, REISSUE);
  const reissued = String(voided.json['reissued_as']);
  expect(await invoiceOf(reissued)).toMatchObject({ net: left });
  const xml = (await stage.get(`/invoices/${reissued}.xml`)).text;
  expect(xml).toContain('<cbc:Note>Rest of 49045 credits</cbc:Note>');
  const again = await stage.post(`/invoices/${reissued}/credit-notes`, body);
  expect([again.status, again.json['code']]).toEqual([409, 'conflict']);
  expect((await verifyInvoice(stage.pool, reissued, terms.calendar))?.intact).toBe(true);
});
