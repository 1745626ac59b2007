import { randomUUID } from 'node:crypto';
import { voidGrant } from '#account/scenario.suite.js';
import { idOf, itemsOf, type AdminStage } from '../../../test/setup/admin-stage.js';
import { Fallen, FallingProcesses, STEPS } from './falling-processes.suite.js';
import { BUYER, PLAN, SELLER } from '../../../test/setup/invoicing-stage.js';

let processes: FallingProcesses;
let stage: AdminStage;

beforeEach(async () => {
  processes = await FallingProcesses.open();
  ({ stage } = processes);
});

afterEach(() => processes.close());

const SOLD = { credits: 1_000, kind: 'purchased', price: 12_500 };

/** Customers of whom nothing is known, each with a held purchase and a held month. */
async function held(customers: number): Promise<string[]> {
  await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
  const ids: string[] = [];
  for (let index = 0; index < customers; index += 1) {
    const id = await stage.account({ currency: 'EUR', plan: PLAN });
    await stage.post(`/accounts/${id}/grants`, SOLD);
    ids.push(id);
  }
  stage.now = Date.parse('2026-12-01T00:00:05Z');
  const { issued, failed } = await processes.another().run('2026-11', null);
  expect([issued, failed]).toEqual([0, 0]);
  expect(await statuses()).toEqual(Array(2 * customers).fill('held'));
  return ids;
}

async function statuses(): Promise<unknown[]> {
  const items = itemsOf(await stage.get('/invoices?limit=1000'));
  return items.map(({ state }) => (state as { status: string }).status);
}

it.each(['nothing else', ...STEPS] as const)(
  'a process that does %s after the facts are corrected leaves each to be issued once',
  async (step) => {
    const ids = await held(2);
    for (const id of ids) {
      await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body: BUYER });
    }
    await processes.catchUp();
    if (step !== 'nothing else') {
      const [id = ''] = ids;
      await expect(processes.another(step).documents.issueOf(id)).rejects.toThrow(Fallen);
    }
    await processes.catchUp();
    for (const issuing of [processes.another(), processes.another()]) {
      await issuing.numberUnfinished();
      await issuing.pass(null, {});
      await processes.catchUp();
    }
    expect(await statuses()).toEqual(Array(4).fill('issued'));
    const items = itemsOf(await stage.get('/invoices?limit=1000'));
    expect(items.map(({ number }) => number)).toEqual(
      ['1', '2', '3', '4'].map((ordinal) => `INV-00000${ordinal}`),
    );
    expect(new Set(items.map(({ id }) => id)).size).toBe(4);
    expect(await processes.another().toDo.hasAny()).toBe(false);
    const { rows } = await stage.pool.query('select from held_invoice');
    expect(rows).toHaveLength(step === 'after sealing' ? 1 : 0);
    expect(itemsOf(await stage.get('/invoices?status=held'))).toEqual([]);
  },
);

const REVERSE = { tax: { category: 'AE', rate_percent: 0 }, purchases: 'monthly' };

/** Monthly purchases on the held invoice of a customer whose identifier is not known. */
async function heldMonth(purchases: number): Promise<{ id: string; grants: string[] }> {
  await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
  const id = await stage.account({ currency: 'EUR', plan: null });
  await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body: { ...BUYER, ...REVERSE } });
  const grants: string[] = [];
  while (grants.length < purchases) {
    grants.push(idOf(await stage.post(`/accounts/${id}/grants`, SOLD)));
  }
  stage.now = Date.parse('2026-12-01T00:00:05Z');
  await processes.another().run('2026-11', null);
  expect(await statuses()).toEqual(['held']);
  return { id, grants };
}

async function correct(id: string): Promise<void> {
  const body = { ...BUYER, vat_id: 'GB980780684', ...REVERSE };
  await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body });
}

/** A void that is decided, and whose process falls before it does anything else. */
async function voidOf(accountId: string, grant = ''): Promise<void> {
  const { refusal } = await stage.accounting.submit({
    accountId,
    callId: randomUUID(),
    isRetry: false,
    notAfter: stage.now + 10_000,
    command: voidGrant(grant),
  });
  expect(refusal).toBeNull();
}

async function sealed(): Promise<unknown[]> {
  const { rows } = await stage.pool.query<{ type: string; net: number }>(
    `select type, (data ->> 'net')::bigint as net from event where type like '%Sealed'`,
  );
  return rows.map(({ type, net }) => [type, net]);
}

/** Two other processes issue what is due. */
async function issued(): Promise<void> {
  await processes.catchUp();
  for (const issuing of [processes.another(), processes.another()]) {
    await issuing.numberUnfinished();
    await issuing.pass(null, {});
    await processes.catchUp();
  }
  expect(await processes.another().toDo.hasAny()).toBe(false);
}

it.each(STEPS)(
  'a purchase that was voided before a process falls %s is on no invoice, the other one on one',
  async (step) => {
    const { id, grants } = await heldMonth(2);
    await correct(id);
    await voidOf(id, grants[0]);
    await expect(processes.another(step).invoiceAccount(id)).rejects.toThrow(Fallen);
    await issued();
    expect(await sealed()).toEqual([['InvoiceSealed', 12_500]]);
    expect(await statuses()).toEqual(['issued']);
  },
);

it('an invoice that was made before the void of a purchase on it is made again', async () => {
  const { id, grants } = await heldMonth(2);
  await correct(id);
  const meanwhile = () => voidOf(id, grants.shift());
  await processes.another(null, processes.opened(), meanwhile).invoiceAccount(id);
  expect(grants).toHaveLength(1);
  expect(await sealed()).toEqual([['InvoiceSealed', 12_500]]);
});

it('a month whose purchases are all voided right before its seal is invoiced by nobody', async () => {
  const { id, grants } = await heldMonth(1);
  await correct(id);
  const meanwhile = () => voidOf(id, grants.shift());
  await processes.another(null, processes.opened(), meanwhile).invoiceAccount(id);
  await issued();
  expect([await sealed(), await statuses()]).toEqual([[], []]);
  stage.now += 60_000;
  const { status } = await stage.post('/periods/2026-11/close', { reason: 'Filed.' });
  expect(status).toBe(200);
});
