import { randomUUID } from 'node:crypto';
import { grantCredits, origin, voidGrant } from '#account/scenario.suite.js';
import type { Invoicing } from './invoicing.js';
import { purchaseInvoiceIdOf, reissueIdOf } from '#projections/events/document-ids.js';
import { decideCredit } from '#invoice-rules/credit-notes.js';
import { invoiceAccount } from '#invoice-rules/invoice-account.js';
import type { Invoice } from '#invoice-rules/invoice.js';
import { creditNoteRecord } from './credit-note-record.js';
import { readBilling } from '#projections/invoices/account-billing.js';
import { itemsOf, idOf, type AdminStage } from '../../../test/setup/admin-stage.js';
import { Fallen, FallingProcesses, STEPS, type Step } from './falling-processes.suite.js';
import { customer } from '../../../test/setup/invoicing-stage.js';

let processes: FallingProcesses;
let stage: AdminStage;

beforeEach(async () => {
  processes = await FallingProcesses.open();
  ({ stage } = processes);
});

afterEach(() => processes.close());

function another(fallsAt: Step | null = null): Invoicing {
  return processes.another(fallsAt);
}

/** A purchase that is decided, and whose process falls before it does anything else. */
async function bought(accountId: string): Promise<string> {
  const callId = randomUUID();
  const { refusal } = await stage.accounting.submit({
    accountId,
    callId,
    isRetry: false,
    notAfter: stage.now + 10_000,
    command: grantCredits(1_000, { grantId: callId, price: 12_500 }),
  });
  expect(refusal).toBeNull();
  return callId;
}

async function countOf(type: string): Promise<number> {
  const { rows } = await stage.pool.query('select from event where type = $1', [type]);
  return rows.length;
}

it.each(STEPS)(
  'a purchase whose process falls %s gets one invoice and one number',
  async (step) => {
    const id = await customer(stage, { test_clock: undefined, plan: null });
    const grant = await bought(id);
    await expect(another(step).documents.issueOf(id)).rejects.toThrow(Fallen);
    await processes.catchUp();
    await Promise.all([1, 2].map(() => another().documents.issueAll()));
    await another().numberUnfinished();
    const next = await stage.post(`/accounts/${id}/grants`, {
      credits: 10,
      kind: 'purchased',
      price: 100,
    });
    expect(next.json['invoice_number']).toBe('INV-000002');
    const [invoice, ...others] = itemsOf(await stage.get(`/invoices?account_id=${id}`));
    expect(invoice).toMatchObject({ number: 'INV-000001', net: 12_500 });
    expect(invoice?.['id']).toBe(purchaseInvoiceIdOf(id, grant));
    expect(others).toHaveLength(1);
    expect([await countOf('InvoiceSealed'), await countOf('InvoiceNumbered')]).toEqual([2, 2]);
    await processes.catchUp();
    expect(await another().toDo.hasAny()).toBe(false);
  },
);

it('processes that seal the same purchases at once agree on their invoices', async () => {
  const id = await customer(stage, { test_clock: undefined, plan: null });
  const grants = [await bought(id), await bought(id), await bought(id)];
  const asked = grants.flatMap((grant) => [grant, grant]);
  const numbers = await Promise.all(
    asked.map((grant) => another().numberOf(id, purchaseInvoiceIdOf(id, grant))),
  );
  expect(new Set(numbers)).toEqual(new Set(['INV-000001', 'INV-000002', 'INV-000003']));
  expect(numbers.filter((_, index) => index % 2 === 0)).toEqual(
    numbers.filter((_, index) => index % 2 === 1),
  );
  expect([await countOf('InvoiceSealed'), await countOf('InvoiceNumbered')]).toEqual([3, 3]);
});

it.each(STEPS)('a refund whose process falls %s gets one credit note', async (step) => {
  const id = await customer(stage, { test_clock: undefined, plan: null });
  const sold = { credits: 1_000, kind: 'purchased', price: 12_500 };
  const grant = idOf(await stage.post(`/accounts/${id}/grants`, sold));
  stage.now = Date.parse('2026-12-01T00:00:05Z');
  await another().run('2026-11', null);
  await stage.accounting.submit({
    accountId: id,
    callId: randomUUID(),
    isRetry: false,
    notAfter: stage.now + 10_000,
    command: voidGrant(grant),
  });
  await expect(another(step).documents.issueOf(id)).rejects.toThrow(Fallen);
  await processes.catchUp();
  await Promise.all([1, 2].map(() => another().documents.issueAll()));
  await another().numberUnfinished();
  const { rows } = await stage.pool.query<{ type: string; count: number }>(
    `select type, count(*) as count from event
      where type in ('CreditNoteSealed', 'CreditNoteNumbered') group by 1 order by 1`,
  );
  expect(rows).toEqual([
    { type: 'CreditNoteNumbered', count: 1 },
    { type: 'CreditNoteSealed', count: 1 },
  ]);
  const [note] = itemsOf(await stage.get(`/credit-notes?account_id=${id}`));
  expect(note).toMatchObject({ number: 'CN-000001', net: -12_500 });
  await processes.catchUp();
  expect(await another().toDo.hasAny()).toBe(false);
});

/** An invoice that is voided to be issued again, and whose process falls right after that. */
async function voided(accountId: string, number: string): Promise<void> {
  const invoice = (await stage.get(`/invoices/${number}.json`)).json as unknown as Invoice;
  const { version: after, events } = await readBilling(stage.pool, accountId);
  const decision = decideCredit(invoiceAccount(invoice, events), { scope: 'whole' });
  if (decision.outcome === 'refused') throw new Error('Nothing is left.');
  const id = randomUUID();
  const note = { id, issueDate: '2026-11-24', reason: 'Wrong address.' };
  const cause = { reissued_as: reissueIdOf(invoice.id) };
  const { refusal } = await stage.accounting.submit({
    accountId,
    callId: id,
    isRetry: false,
    notAfter: stage.now + 10_000,
    command: {
      command: 'record-billing',
      origin,
      after,
      record: await creditNoteRecord(stage.pool, invoice, decision, note, cause),
    },
  });
  expect(refusal).toBeNull();
}

it.each(STEPS)('a reissue whose process falls %s is issued once', async (step) => {
  const id = await customer(stage, { test_clock: undefined, plan: null });
  const sold = { credits: 1_000, kind: 'purchased', price: 12_500 };
  await stage.post(`/accounts/${id}/grants`, sold);
  await voided(id, 'INV-000001');
  await expect(another(step).documents.issueOf(id)).rejects.toThrow(Fallen);
  await processes.catchUp();
  await Promise.all([1, 2].map(() => another().documents.issueAll()));
  await another().numberUnfinished();
  const { json } = await stage.get('/invoices/INV-000002');
  expect(json).toMatchObject({ reissue_of: { number: 'INV-000001' }, net: 12_500 });
  expect([await countOf('InvoiceSealed'), await countOf('InvoiceNumbered')]).toEqual([2, 2]);
  expect([await countOf('CreditNoteSealed'), await countOf('CreditNoteNumbered')]).toEqual([1, 1]);
  await processes.catchUp();
  expect(await another().toDo.hasAny()).toBe(false);
});
