import { itemsOf, type AdminStage } from '../admin/admin-stage.suite.js';
import { Fallen, FallingProcesses, STEPS } from './falling-processes.suite.js';
import { BUYER, PLAN, SELLER } from './invoicing-stage.suite.js';

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
    await processes.catchUp('invoices');
    if (step !== 'nothing else') {
      const [id = ''] = ids;
      await expect(processes.another(step).documents.issueOf(id)).rejects.toThrow(Fallen);
    }
    await processes.catchUp('invoices');
    for (const issuing of [processes.another(), processes.another()]) {
      await issuing.numberStranded();
      await issuing.pass(null, {});
      await processes.catchUp('invoices');
    }
    expect(await statuses()).toEqual(Array(4).fill('issued'));
    const items = itemsOf(await stage.get('/invoices?limit=1000'));
    expect(items.map(({ number }) => number)).toEqual(
      ['1', '2', '3', '4'].map((ordinal) => `INV-00000${ordinal}`),
    );
    expect(new Set(items.map(({ id }) => id)).size).toBe(4);
    expect(await processes.another().isDue()).toBe(false);
    const { rows } = await stage.pool.query('select from held_invoice');
    expect(rows).toHaveLength(step === 'after sealing' ? 1 : 0);
    expect(itemsOf(await stage.get('/invoices?status=held'))).toEqual([]);
  },
);
