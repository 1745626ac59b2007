import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { terms } from '#account/scenario.suite.js';
import { openDatabase } from '#database/database.js';
import { SystemStream } from '#event-log/system-stream.js';
import { AdminStage, itemsOf } from '../../../test/setup/admin-stage.js';
import type { Change } from '#deciding/changes/change.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { InvoiceRuns, type InvoiceRunsParts } from './invoice-runs.js';
import { call, customer, numbersOf } from '../../../test/setup/invoicing-stage.js';
import type { PassWatch, RunFailure, RunResult } from './invoice-run-events.js';

const MONTH = '2026-11';
const NOTHING: RunResult = { issued: 0, skipped: 0, failed: 0, failures: [] };
const FAILURE: RunFailure = { account_id: randomUUID(), month: MONTH, detail: 'It differs.' };

let stage: AdminStage;
let pools: pg.Pool[];
/** Lets go of work that a test which failed has left. */
let letGoOfAll: (() => void)[];

beforeEach(async () => {
  stage = await AdminStage.open();
  pools = [];
  letGoOfAll = [];
});

afterEach(async () => {
  letGoOfAll.forEach((letGo) => letGo());
  await Promise.all(pools.map((pool) => pool.end()));
  expect(stage.errors).toEqual([]);
  await stage.close();
});

/** A customer that called in November; it is December. */
async function december(): Promise<string> {
  const id = await customer(stage, { test_clock: undefined });
  await call(stage, id);
  stage.now = Date.parse('2026-12-03T10:00:00Z');
  return id;
}

/** The projection knows of every month that has ended. */
async function closedMonths(): Promise<void> {
  await caughtUp('ledger');
  await stage.closeMonths();
  await caughtUp('invoices');
}

async function caughtUp(projection: string): Promise<void> {
  const ends = (await stage.log.ends()).map(({ lane, position }) => [lane, position] as const);
  await stage.projections.catchUp(projection, new Map(ends), 10_000);
}

function changeUnder(idempotencyKey: string): Change {
  return { by: 'operator', requestId: randomUUID(), idempotencyKey, input: idempotencyKey };
}

/** Runs in another process, whose work is done by `run`. */
function another(run: InvoiceRunsParts['invoicing']['run'], answerMs = 10_000): InvoiceRuns {
  const pool = openDatabase({ url: stage.url, applicationName: 'another process' });
  pools.push(pool);
  const system = new SystemStream(stage.log);
  return new InvoiceRuns({
    pool,
    system,
    clock: { now: () => stage.now },
    calendar: terms.calendar,
    invoicing: { run },
    answerMs,
  });
}

/** Work that goes on until it is let go, and finds a difference as it begins. */
function heldWork() {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  letGoOfAll.push(letGo);
  let begun = 0;
  const run = async (_month: string, _account: string | null, watch: PassWatch = {}) => {
    begun += 1;
    watch.onFailure?.(FAILURE);
    await held;
    return { ...NOTHING, failed: 1, failures: [FAILURE] };
  };
  return { run, letGo: () => letGo(), begun: () => begun };
}

describe('a run over REST', () => {
  it('is a resource that reports its result', async () => {
    const id = await december();
    const run = await stage.post('/invoice-runs', { month: MONTH });
    expect(run.status).toBe(200);
    const result = { status: 'ended', accounts: 1, done: 1, documents: 1, issued: 1, failed: 0 };
    expect(run.json).toMatchObject(result);
    await stage.call(id);
    const later = await stage.get(`/invoice-runs/${String(run.json['id'])}`);
    expect(later.json).toEqual(run.json);
  });

  it('issues the months before, too, the oldest first', async () => {
    const id = await december();
    stage.now = Date.parse('2027-01-03T10:00:00Z');
    const run = await stage.post('/invoice-runs', { month: '2026-12' });
    expect(run.json).toMatchObject({ issued: 2, documents: 2, accounts: 1, done: 1 });
    const invoices = await stage.get(`/invoices?account_id=${id}`);
    expect(itemsOf(invoices).map(({ number, month }) => [number, month])).toEqual([
      ['INV-000001', '2026-11'],
      ['INV-000002', '2026-12'],
    ]);
  });

  it('happens once under its idempotency key, and is answered again', async () => {
    const id = await december();
    const first = await stage.post('/invoice-runs', { month: MONTH }, 'november');
    const again = await stage.post('/invoice-runs', { month: MONTH }, 'november');
    expect(again.json).toEqual(first.json);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const other = await stage.post('/invoice-runs', { month: '2026-10' }, 'november');
    expect(other.json['code']).toBe('idempotency-conflict');
    const second = await stage.post('/invoice-runs', { month: MONTH });
    expect(second.json['id']).not.toBe(first.json['id']);
    expect(second.json).toMatchObject({ issued: 0, documents: 0 });
    expect(await numbersOf(stage, id)).toEqual(['INV-000001']);
  });

  it('of a month that has ended for nobody is refused with the moment at which it ends', async () => {
    const run = await stage.post('/invoice-runs', { month: '2030-01' });
    expect([run.status, run.json['detail']]).toEqual([
      409,
      '2030-01 has not ended, also for no test account: it is invoiced from 2030-02-01T00:00:00Z on.',
    ]);
  });

  it('that nobody asked for is not there', async () => {
    const { status } = await stage.get(`/invoice-runs/${randomUUID()}`);
    expect(status).toBe(404);
  });
});

describe('a long run', () => {
  it('is answered while it goes on, and reports its progress', async () => {
    await december();
    await closedMonths();
    const work = heldWork();
    const runs = another(work.run, 1);
    const { view } = await runs.start(changeUnder('long'), MONTH, null);
    expect(view).toMatchObject({ status: 'running', ended_at: null, issued: null, skipped: null });
    await waitFor('its beginning', async () => work.begun() === 1);
    const far = { accounts: 1, done: 0, failed: 1, failures: [FAILURE] };
    expect(await runs.read(view.id)).toMatchObject(far);
    const elsewhere = await stage.get(`/invoice-runs/${view.id}`);
    expect(elsewhere.json).toMatchObject({ ...far, failed: null, failures: null });
    work.letGo();
    await waitFor('its end', async () => (await runs.read(view.id)).status === 'ended');
    expect((await stage.get(`/invoice-runs/${view.id}`)).json).toMatchObject({
      ...far,
      status: 'ended',
      issued: 0,
    });
  });

  it('is worked on by one process at a time, whoever asks for it', async () => {
    const work = heldWork();
    const processes = [another(work.run, 1), another(work.run, 1), another(work.run, 1)];
    const views = await Promise.all(
      processes.map((runs) => runs.start(changeUnder('same'), MONTH, null)),
    );
    expect(new Set(views.map(({ view }) => view.id)).size).toBe(1);
    await waitFor('its beginning', async () => work.begun() === 1);
    work.letGo();
    for (const [index, runs] of processes.entries()) {
      const { id } = views[index]?.view ?? { id: '' };
      await waitFor('its end', async () => (await runs.read(id)).status === 'ended');
      await Promise.all(await runs.resume());
    }
    await Promise.all(processes.map((runs) => runs.stop()));
    expect(work.begun()).toBe(1);
  });

  it('whose process falls is finished by the next one', async () => {
    const id = await december();
    const falling = another(async () => {
      throw new Error('It fell.');
    });
    await expect(falling.start(changeUnder('fallen'), MONTH, null)).rejects.toThrow('It fell.');
    expect(await numbersOf(stage, id)).toEqual([]);
    await Promise.all(await stage.invoicing.runs.resume());
    expect(await numbersOf(stage, id)).toEqual(['INV-000001']);
    const { view, replayed } = await falling.start(changeUnder('fallen'), MONTH, null);
    expect(view).toMatchObject({ status: 'ended', issued: 1, documents: 1 });
    expect(replayed).toBe(true);
    expect(await stage.invoicing.runs.resume()).toEqual([]);
  });

  it('that is stopped is left to the next process', async () => {
    const stopped = heldWork();
    const runs = another(stopped.run, 1);
    const { view } = await runs.start(changeUnder('stopped'), MONTH, null);
    await waitFor('its beginning', async () => stopped.begun() === 1);
    const stop = runs.stop();
    stopped.letGo();
    await stop;
    expect((await runs.read(view.id)).status).toBe('running');
    await Promise.all(await another(async () => NOTHING).resume());
    expect((await runs.read(view.id)).status).toBe('ended');
  });
});
