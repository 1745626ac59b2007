import { invoiceIdOf } from '#projections/events/document-ids.js';
import { laneOf } from '#event-log/event-log.js';
import type { Invoicing } from './invoicing.js';
import { InvoicingWorker } from './invoicing-worker.js';
import { underLease } from './lease.js';
import { sealedDocument } from './sealed-document.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { itemsOf, type AdminStage } from '../../../test/setup/admin-stage.js';
import { Fallen, FallingProcesses, STEPS, type Step } from './falling-processes.suite.js';
import { call, customer } from '../../../test/setup/invoicing-stage.js';

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

/** So many customers called in November, and it is December. */
async function december(customers: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < customers; index += 1) {
    const id = await customer(stage, { test_clock: undefined });
    await call(stage, id);
    ids.push(id);
  }
  stage.now = Date.parse('2026-12-01T00:00:05Z');
  return ids;
}

/** Every invoice there is: one of each account, numbered 1, 2, 3, … */
async function expectOneEach(ids: readonly string[]): Promise<void> {
  const invoices = itemsOf(await stage.get('/invoices?limit=1000'));
  expect(invoices.map((invoice) => String(invoice['account_id'])).toSorted()).toEqual(
    ids.toSorted(),
  );
  expect(invoices.map(({ number }) => number)).toEqual(
    ids.map((_, index) => `INV-${String(index + 1).padStart(6, '0')}`),
  );
  const { rows } = await stage.pool.query<{ type: string; count: number }>(
    `select type, count(*) as count from event
      where type in ('InvoiceSealed', 'InvoiceNumbered') group by 1 order by 1`,
  );
  expect(rows).toEqual([
    { type: 'InvoiceNumbered', count: ids.length },
    { type: 'InvoiceSealed', count: ids.length },
  ]);
}

it.each(STEPS)('a run that falls %s is finished by the next one', async (step) => {
  const ids = await december(3);
  await expect(another(step).run('2026-11', null)).rejects.toThrow(Fallen);
  const { issued, failed } = await another().run('2026-11', null);
  expect([issued, failed]).toEqual([step === 'after numbering' ? 0 : 3, 0]);
  await expectOneEach(ids);
});

it("an account's documents are numbered in the order in which they were sealed", async () => {
  const [id = ''] = await december(1);
  await expect(another('before numbering').run('2026-11', null)).rejects.toThrow(Fallen);
  stage.now = Date.parse('2027-01-01T00:00:05Z');
  await stage.closeMonths();
  await processes.catchUp();
  await expect(another('before numbering').pass(null, {})).rejects.toThrow(Fallen);
  const events = await stage.log.read(laneOf(id), 0, 1_000);
  const [november, december2026] = events.filter(({ type }) => type === 'InvoiceSealed');
  if (november === undefined || december2026 === undefined) throw new Error('Nothing is sealed.');
  const numbers = await another().numbering.number([sealedDocument(december2026)]);
  expect([...numbers.values()].map(({ month, number }) => [month, number])).toEqual([
    ['2026-12', 'INV-000002'],
  ]);
  const invoices = itemsOf(await stage.get(`/invoices?account_id=${id}`));
  expect(invoices.map(({ month, number }) => [month, number])).toEqual([
    ['2026-11', 'INV-000001'],
    ['2026-12', 'INV-000002'],
  ]);
});

it('whoever seals a month, it has its number when any process has settled the account', async () => {
  const ids = await december(8);
  await processes.catchUp();
  await stage.closeMonths();
  await processes.catchUp();
  const numbered = await Promise.all(
    ids.flatMap((id) =>
      [1, 2].map(async () => {
        const process = another();
        await process.invoiceAccount(id);
        const invoiceId = invoiceIdOf(id, '2026-11');
        return (await process.numbering.find([invoiceId])).has(invoiceId);
      }),
    ),
  );
  expect(numbered).toEqual(numbered.map(() => true));
  await expectOneEach(ids);
});

it('several processes at once issue each invoice once, and leave no number out', async () => {
  const ids = await december(24);
  const runs = await Promise.all([1, 2, 3].map(() => another().run('2026-11', null)));
  for (const { failures } of runs) expect(failures).toEqual([]);
  await expectOneEach(ids);
});

it('workers of several processes issue by themselves, beside others of which one falls', async () => {
  const ids = await december(12);
  const faults: unknown[] = [];
  const workers = [null, 'before numbering', 'after sealing'] as const;
  const running = workers.map((step) => {
    const pool = processes.opened();
    const invoicing = processes.another(step, pool);
    const onFault = (error: unknown): unknown => faults.push(error);
    return new InvoicingWorker({ pool, invoicing, onFault, pollMs: 10 });
  });
  running.forEach((worker) => worker.start());
  try {
    await waitFor('the invoices', async () => {
      await stage.closeMonths();
      const { rows } = await stage.pool.query(`select from event where type = 'InvoiceNumbered'`);
      return rows.length === ids.length;
    });
  } finally {
    await Promise.all(running.map((worker) => worker.stop()));
  }
  expect(faults.every((fault) => fault instanceof Fallen)).toBe(true);
  await expectOneEach(ids);
});

it('what a process leaves that falls is found as soon as its lease is free', async () => {
  const ids = await december(2);
  const invoicing = another();
  const pool = processes.opened();
  let searches = 0;
  const numberUnfinished = (): Promise<number> => {
    searches += 1;
    return invoicing.numberUnfinished();
  };
  const { overdue, runs } = invoicing;
  const toDo = { hasAny: async () => false };
  const pass = async () => ({ issued: 0, failures: [] });
  const watched = { numberUnfinished, overdue, runs, toDo, pass };
  const onFault = (error: unknown): unknown => stage.errors.push(error);
  const worker = new InvoicingWorker({ pool, invoicing: watched, onFault, pollMs: 1 });
  worker.start();
  try {
    // From here on it looks only now and then.
    await waitFor('the first searches', async () => searches >= 20);
    await underLease(stage.pool, 'run', async () => {
      await expect(another('before numbering').run('2026-11', null)).rejects.toThrow(Fallen);
      await processes.catchUp();
    });
    await waitFor('the numbers', async () => {
      const { rows } = await stage.pool.query(`select from event where type = 'InvoiceNumbered'`);
      return rows.length === ids.length;
    });
  } finally {
    await worker.stop();
  }
  await expectOneEach(ids);
});

it('a difference stops its account loudly, and lets the others go on', async () => {
  const [first = '', ...others] = await december(4);
  await processes.catchUp();
  await stage.pool.query(
    `insert into day_usage values ($1, $2, '2026-11-02', '', '{""}', '{""}', '{all}', '{base}', '{1}', '{1}',
       '{0}', '{0}')`,
    [laneOf(first), first],
  );
  const run = await another().run('2026-11', null);
  expect(run).toMatchObject({ issued: 3, failed: 1, failures: [{ account_id: first }] });
  expect(run.failures[0]?.detail).toContain('2026-11: the days hold');
  expect(stage.errors.splice(0)).toMatchObject([
    [{ accountId: first, month: '2026-11' }, expect.any(String)],
  ]);
  await expectOneEach(others);
  await stage.pool.query(`delete from day_usage where account_id = $1 and window_label = ''`, [
    first,
  ]);
  expect(await another().run('2026-11', null)).toMatchObject({ issued: 1, skipped: 3, failed: 0 });
  await expectOneEach([...others, first]);
});
