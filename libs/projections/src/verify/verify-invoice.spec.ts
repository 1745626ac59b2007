import { terms } from '#account/scenario.suite.js';
import { verifyInvoice } from './verify-invoice.js';
import { adminStage } from '../../../../test/setup/stages.js';
import {
  BUYER,
  customer,
  DECEMBER,
  invoiced,
  moveClock,
  numbersOf,
} from '../../../../test/setup/invoicing-stage.js';

const { calendar } = terms;

const stage = adminStage();

/** Differences of a document, by all rules. */
async function differences(number: string): Promise<readonly string[]> {
  const report = await verifyInvoice(stage.pool, number, calendar);
  if (report === undefined) throw new Error(`There is no ${number}.`);
  const found = report.rules.flatMap((one) => one.differences);
  expect(report.intact).toBe(found.length === 0);
  return found;
}

async function noteOn(number: string): Promise<string> {
  const { json } = await stage.post(`/invoices/${number}/void`);
  return String(json['number']);
}

test('an invoice and its credit note are what the log says', async () => {
  const { number } = await invoiced(stage);
  const note = await noteOn(number);
  expect(await differences(number)).toEqual([]);
  expect(await differences(note)).toEqual([]);
  const report = await verifyInvoice(stage.pool, number, calendar);
  expect(report?.rules).toHaveLength(4);
});

test('credit notes of parts and of calls are what their invoice leads to, one after the other', async () => {
  const { number, calls } = await invoiced(stage);
  const credit = (body: object) => stage.post(`/invoices/${number}/credit-notes`, body);
  const notes = [
    await credit({ reason: 'Agreed.', lines: [{ line: 6, amount: 119 }] }),
    await credit({ reason: 'Not delivered.', call_ids: [calls[2]] }),
    await credit({ reason: 'Agreed.', lines: [{ line: 6, amount: 120 }], settlement: 'refund' }),
  ].map(({ json }) => String(json['number']));
  for (const note of notes) expect(await differences(note)).toEqual([]);
  await stage.pool.query(
    `update event set data = replace(data::text, '"lines":[[6,119]]', '"lines":[[6,118]]')::json
      where type = 'CreditNoteSealed' and account_id = (
        select account_id from event where call_id = $1)`,
    [calls[2]],
  );
  expect(await differences(notes[0] ?? '')).toEqual([
    expect.stringMatching(/^settlement: /),
    expect.stringMatching(/^lines: it says .*-119.*, the events say .*-118/),
    expect.stringMatching(/^net: /),
    expect.stringMatching(/^tax_breakdown: /),
    expect.stringMatching(/^tax: /),
    expect.stringMatching(/^total: /),
  ]);
});

test('the tax of who pays beforehand is that with which it was issued, whatever is said since', async () => {
  const id = await customer(stage, { plan: null });
  const say = (tax?: object) =>
    stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, {
      body: { ...BUYER, tax, purchases: 'monthly' },
    });
  await say({ category: 'S', rate_percent: 20 });
  await stage.post(`/accounts/${id}/grants`, { credits: 10, kind: 'purchased', price: 1_500 });
  const { json: draft } = await stage.get(`/accounts/${id}/invoices/draft`);
  expect(draft).toMatchObject({ tax: 300, forecast: { tax: 300, total: 1_800 } });
  await moveClock(stage, id, DECEMBER);
  const [number = ''] = await numbersOf(stage, id);
  await say();
  expect((await stage.get(`/invoices/${number}`)).json).toMatchObject({
    buyer: BUYER,
    tax_breakdown: [{ category: 'S', rate_percent: 20, taxable: 1_500, tax: 300 }],
    total: 1_800,
  });
  expect(await differences(number)).toEqual([]);
  const part = { reason: 'Unused.', lines: [{ line: 1, amount: 500 }] };
  const { json: note } = await stage.post(`/invoices/${number}/credit-notes`, part);
  expect(note).toMatchObject({ net: -500, tax: -100 });
  await stage.post(`/accounts/${id}/grants`, { credits: 10, kind: 'purchased', price: 1_500 });
  expect((await stage.get(`/accounts/${id}/invoices/draft`)).json['tax']).toBe(0);
});

test('a purchase that is invoiced at once is verified by its own events', async () => {
  const id = await customer(stage, { plan: null });
  const tax = { category: 'S', rate_percent: 20 };
  await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body: { ...BUYER, tax } });
  const sold = { credits: 10, kind: 'purchased', price: 1_500 };
  const { json: grant } = await stage.post(`/accounts/${id}/grants`, sold);
  const number = String(grant['invoice_number']);
  await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body: BUYER });
  await moveClock(stage, id, DECEMBER);
  expect(await differences(number)).toEqual([]);
  const report = await verifyInvoice(stage.pool, number, calendar);
  expect(report?.rules).toHaveLength(4);
  await stage.pool.query(
    `update event set data = replace(data::text, '"price":1500', '"price":1499')::json
      where account_id = $1 and type = 'CreditsGranted'`,
    [id],
  );
  expect(await differences(number)).toEqual([
    expect.stringMatching(/^The chain leads to /),
    expect.stringMatching(/^line 1: it says .*1500/),
    expect.stringMatching(/^net: /),
    expect.stringMatching(/^tax_breakdown: /),
    expect.stringMatching(/^total: /),
  ]);
});

test('a number that was not given is none', async () => {
  expect(await verifyInvoice(stage.pool, 'INV-000999', calendar)).toBeUndefined();
});

test('bytes that are gone, or other ones, are found by their format', async () => {
  const { id, number } = await invoiced(stage);
  const change = (sql: string) => stage.pool.query(sql, [id]);
  await change(`delete from document where account_id = $1 and media_type = 'application/pdf'`);
  await change(`update document set body = body || ' '::bytea
                 where account_id = $1 and media_type = 'text/csv'`);
  expect(await differences(number)).toEqual([
    expect.stringMatching(/^The csv has SHA-256 [0-9a-f]{64}, the log says/),
    expect.stringMatching(/^The pdf with SHA-256 [0-9a-f]{64} is not there\.$/),
  ]);
});

test('an amount that was changed in the document is found in content, seal and lines', async () => {
  const { id, number } = await invoiced(stage);
  await stage.pool.query(
    `update document set body = convert_to(
              replace(convert_from(body, 'utf8'), '"amount": 4900', '"amount": 4901'), 'utf8')
      where account_id = $1 and media_type = 'application/json'`,
    [id],
  );
  const found = await differences(number);
  expect(found.map((text) => text.split(' ').slice(0, 3).join(' '))).toEqual([
    'The json has',
    'Its content has',
    'line 6: it',
  ]);
  expect(found[2]).toContain('"amount":4901');
});

test('a call that was changed in the log is found in the chain and the lines', async () => {
  const { number, calls } = await invoiced(stage);
  await stage.pool.query(
    `update event set data = replace(data::text, '"cost":[10,25]', '"cost":[10,24]')::json
      where call_id = $1`,
    [calls[1]],
  );
  expect(await differences(number)).toEqual([
    expect.stringMatching(/^The chain leads to /),
    expect.stringMatching(/: the lines add up to |^line /),
  ]);
});
