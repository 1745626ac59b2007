import { purchaseInvoiceIdOf } from '#projections/events/document-ids.js';
import { idOf, itemsOf } from '../../../../test/setup/admin-stage.js';
import { BUYER, caughtUp, PLAN, SELLER } from '../../../../test/setup/invoicing-stage.js';
import { portalStage } from '../../../../test/setup/stages.js';

const SOLD = { credits: 1_000, kind: 'purchased', price: 12_500 };

const stage = portalStage();

beforeAll(async () => {
  await stage.admin.ask('PUT', '/admin/v1/seller', { body: SELLER });
});

/** An account that has bought credits and whose address nobody knows. */
async function bought(): Promise<{ account: string; documentId: string }> {
  const { admin } = stage;
  const account = await admin.account({ currency: 'EUR', plan: PLAN });
  const grant = idOf(await admin.post(`/accounts/${account}/grants`, SOLD));
  return { account, documentId: purchaseInvoiceIdOf(account, grant) };
}

it('an invoice that is held stands in the list of its account with what it lacks', async () => {
  const { account, documentId } = await bought();
  const viewer = await stage.signIn(account, 'viewer');
  const held = {
    id: documentId,
    number: null,
    total: 14_875,
    state: { status: 'held' },
    reasons: ['line1', 'city', 'country'].map((part) => ({
      party: 'buyer',
      pointer: `/address/${part}`,
      detail: `The buyer's address: ${part}.`,
    })),
  };
  for (const query of ['', '?status=held']) {
    expect(itemsOf(await stage.get(`/invoices${query}`, viewer))).toMatchObject([held]);
  }
  expect(itemsOf(await stage.get('/invoices?status=issued', viewer))).toEqual([]);
  expect((await stage.get(`/invoices/${documentId}`, viewer)).json).toMatchObject(held);
  expect((await stage.get(`/invoices/${documentId}.pdf`, viewer)).status).toBe(409);
});

it('nobody else sees it', async () => {
  const { documentId } = await bought();
  const stranger = await stage.signIn(await stage.admin.account());
  expect(itemsOf(await stage.get('/invoices', stranger))).toEqual([]);
  expect((await stage.get(`/invoices/${documentId}`, stranger)).status).toBe(404);
});

it('is issued once a manager has completed the billing details', async () => {
  const { account, documentId } = await bought();
  const manager = await stage.signIn(account);
  const saved = await stage.ask('PUT', '/portal/v1/billing', { cookie: manager, body: BUYER });
  expect(saved.status).toBe(200);
  await caughtUp(stage.admin);
  await stage.admin.invoicing.pass(null, {});
  const [issued, ...others] = itemsOf(await stage.get('/invoices', manager));
  expect([issued, others]).toMatchObject([{ id: documentId, number: 'INV-000001' }, []]);
});
