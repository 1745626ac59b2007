import { randomUUID } from 'node:crypto';
import { isDistributed } from '#database/cluster/distribute.js';
import { documentHash } from '#projections/invoices/documents.js';
import { waitFor } from '../../../../test/setup/wait-for.js';
import { itemsOf, type Answered } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import { BUYER, customer, invoiced, SELLER } from '../../../../test/setup/invoicing-stage.js';

const stage = adminStage();
/** Of a real account: the number of its invoice for October. */
let number: string;

/** A real account with calls in October 2025, whose invoice is issued in November. */
beforeAll(async () => {
  stage.now = Date.parse('2025-10-14T09:00:00Z');
  await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
  const id = await customer(stage, { test_clock: undefined });
  await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body: BUYER });
  await stage.post(`/accounts/${id}/grants`, { credits: 100, kind: 'purchased', price: 1_000 });
  await stage.call(id);
  stage.now = Date.parse('2025-11-03T09:00:00Z');
  await stage.post('/invoice-runs', { month: '2025-10' });
  const listed = itemsOf(await stage.get(`/invoices?account_id=${id}&month=2025-10`));
  number = String(listed.at(-1)?.['number']);
});

interface Files {
  readonly files: { readonly journal: { readonly sha256: string } };
}

const REASON = { reason: 'Handed over.' };

function close(month: string, key?: string): Promise<Answered> {
  return stage.post(`/periods/${month}/close`, REASON, key);
}

function reopen(month: string): Promise<Answered> {
  return stage.post(`/periods/${month}/reopen`, { reason: 'A payment was forgotten.' });
}

function pay(amount: number, date?: string, key?: string): Promise<Answered> {
  return stage.post(`/invoices/${number}/payments`, { amount, date }, key);
}

function exported(format: string, month: string, more = ''): Promise<Answered> {
  return stage.get(`/exports/invoices?issued_month=${month}&format=${format}${more}`);
}

async function statuses(): Promise<unknown[]> {
  return itemsOf(await stage.get('/periods')).map(({ month, status }) => [month, status]);
}

it('a month that runs cannot be closed, nor in the minute after it', async () => {
  for (const now of ['2025-11-03T09:00:00Z', '2025-12-01T00:00:59Z']) {
    stage.now = Date.parse(now);
    const { status, json } = await close('2025-11');
    expect([status, json['code']]).toEqual([409, 'conflict']);
  }
  expect((await close('2025-13')).status).toBe(400);
  expect((await stage.post('/periods/2025-10/close', {})).status).toBe(400);
});

it('a close closes all months before it, and states their files', async () => {
  stage.now = Date.parse('2025-12-02T09:00:00Z');
  const paid = await pay(1_000, '2025-11-20', 'november');
  expect(paid.status).toBe(201);
  const first = await close('2025-11', 'close');
  expect(first.json).toMatchObject({ month: '2025-11', status: 'closed', reason: 'Handed over.' });
  expect((await close('2025-11', 'close')).json).toEqual(first.json);
  expect((await close('2025-11')).status).toBe(409);
  expect(await statuses()).toEqual([
    ['2025-10', 'closed'],
    ['2025-11', 'closed'],
  ]);
  const files = first.json['files'] as Record<string, { sha256: string; bytes: number }>;
  for (const format of ['journal', 'csv', 'jsonl']) {
    const { text } = await exported(format, '2025-11');
    const body = Buffer.from(text);
    expect(files[format]).toEqual({ sha256: documentHash(body), bytes: body.length });
  }
});

it('nothing can be dated in a closed month, in test accounts neither, but a retry is answered', async () => {
  for (const date of ['2025-11-30', '2025-10-01', '2024-01-01']) {
    const { status, json } = await pay(1, date);
    expect([status, json['code']]).toEqual([409, 'conflict']);
  }
  expect((await pay(1_000, '2025-11-20', 'november')).status).toBe(201);
  expect((await pay(500, '2025-12-01')).status).toBe(201);
  expect((await pay(500)).status).toBe(201);
  const { number: own } = await invoiced(stage);
  const path = `/invoices/${own}/payments`;
  expect((await stage.post(path, { amount: 1, date: '2025-11-02' })).status).toBe(409);
  expect((await stage.post(path, { amount: 1 })).status).toBe(201);
});

it('the files of a closed month stay the same bytes, in any chart of accounts', async () => {
  const before = await exported('journal', '2025-11');
  expect(before.text).toContain(',1200,');
  const charted = await exported('journal', '2025-11', '&receivables=14%2C00');
  expect(charted.text).toBe(before.text.replaceAll(',1200,', ',"14,00",'));
  const archive = await exported('zip', '2025-11');
  const december = await exported('journal', '2025-12');
  const lines = [{ line: 1, amount: 1 }];
  await stage.post(`/invoices/${number}/credit-notes`, { ...REASON, lines });
  await stage.post(`/invoices/${number}/void`);
  expect((await exported('zip', '2025-11')).text).toBe(archive.text);
  expect((await exported('journal', '2025-11')).text).toBe(before.text);
  expect((await exported('journal', '2025-12')).text).not.toBe(december.text);
});

it('a reopened month takes dates again, and its next close has other files', async () => {
  const closed = itemsOf(await stage.get('/periods')).at(-1);
  expect((await reopen('2025-12')).status).toBe(409);
  expect((await reopen('2025-11')).json).toMatchObject({ status: 'reopened', month: '2025-11' });
  expect(await statuses()).toEqual([
    ['2025-10', 'closed'],
    ['2025-11', 'reopened'],
  ]);
  expect((await pay(-1, '2025-11-28')).status).toBe(201);
  expect((await pay(-1, '2025-10-28')).status).toBe(409);
  const again = await close('2025-11');
  expect(again.json['files']).not.toEqual(closed?.['files']);
  const text = (await exported('journal', '2025-11')).text;
  expect(text).toContain('2025-11-28');
});

it('closing and dating exclude each other: a payment is in the books of its month or refused', async () => {
  for (let round = 0; round < 4; round += 1) {
    await reopen('2025-11');
    const [made, ...payments] = await Promise.all([
      close('2025-11'),
      ...[1, 2, 3].map(() => pay(-1, '2025-11-29', randomUUID())),
    ]);
    expect(made.status).toBe(200);
    const taken = payments.filter(({ status }) => status === 201);
    expect(payments.filter(({ status }) => status === 409)).toHaveLength(3 - taken.length);
    const { text } = await exported('journal', '2025-11');
    for (const { json } of taken) expect(text).toContain(String(json['id']));
  }
});

it('a close waits for an append that the server still runs for a process that has ended', async () => {
  await reopen('2025-11');
  const append = await stage.pool.connect();
  await append.query('begin');
  await append.query('select from lane where lane = 40 for update');
  const closing = close('2025-11', 'waits');
  // In a cluster the lock is waited for elsewhere.
  const waiting = (await isDistributed(stage.pool))
    ? 'select from citus_lock_waits where blocking_gpid = citus_backend_gpid()'
    : 'select from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))';
  await waitFor('the close waits', async () => (await append.query(waiting)).rowCount === 1);
  expect((await statuses()).at(-1)).toEqual(['2025-11', 'reopened']);
  await append.query('commit');
  append.release();
  expect((await closing).json).toMatchObject({ status: 'closed' });
});

it('a close that falls before its event leaves the month open, and is made by a retry', async () => {
  await reopen('2025-11');
  await stage.pool.query(
    `alter table event add constraint fall check (type <> 'PeriodClosed') not valid`,
  );
  expect((await close('2025-11', 'again')).status).toBeGreaterThanOrEqual(500);
  await stage.pool.query('alter table event drop constraint fall');
  stage.errors.splice(0);
  expect((await statuses()).at(-1)).toEqual(['2025-11', 'reopened']);
  const made = await close('2025-11', 'again');
  expect(made.json).toMatchObject({ status: 'closed' });
  expect((await close('2025-11', 'again')).json).toEqual(made.json);
});

describe('while an account is damaged', () => {
  const month = '2025-12';
  /** Exports of a month that is open. */
  const books = (test: boolean): string[] => [
    ...['csv', 'jsonl', 'zip', 'journal'].map(
      (format) => `/exports/invoices?issued_month=${month}&format=${format}&test=${test}`,
    ),
    `/exports/credit-liability?month=${month}&test=${test}`,
    `/exports/revenue-schedule?from=${month}&to=${month}&test=${test}`,
  ];

  async function damage(accountId: string): Promise<void> {
    // An export waits for the rows: what is applied later would be left out.
    await stage.get('/exports/credit-liability?month=2025-11');
    const noted = await stage.pool.query(
      `insert into damaged_account (projection, lane, account_id, position, version, error)
       select 'ledger', lane, account_id, 1, 1, 'damaged' from ledger_account where account_id = $1`,
      [accountId],
    );
    expect(noted.rowCount).toBe(1);
  }

  const answers = (paths: readonly string[]) => Promise.all(paths.map((path) => stage.get(path)));

  beforeAll(() => {
    stage.now = Date.parse('2026-01-02T09:00:00Z');
  });

  afterEach(async () => {
    await stage.pool.query('delete from damaged_account');
  });

  it('nothing is closed and no open month exported, and the account is named', async () => {
    const id = await customer(stage, { test_clock: undefined });
    await damage(id);
    for (const { status, json } of [await close(month), ...(await answers(books(false)))]) {
      expect([status, json['code']]).toEqual([409, 'conflict']);
      expect(json['detail']).toContain(id);
    }
    expect((await exported('journal', '2025-11')).status).toBe(200);
    expect((await exported('csv', '2025-11')).status).toBe(200);
  });

  it('a test account bars its own exports alone', async () => {
    await damage(await customer(stage));
    expect((await answers(books(false))).map(({ status }) => status)).not.toContain(409);
    for (const { status } of await answers(books(true))) expect(status).toBe(409);
  });
});

it('a close is in the audit, and what it keeps is verified', async () => {
  const audited = itemsOf(await stage.get('/audit?limit=1000')).map(({ type }) => type);
  expect(audited).toEqual(expect.arrayContaining(['PeriodClosed', 'PeriodReopened']));
  const verified = async () => {
    await stage.post('/verify');
    const ended = () => stage.logTools.verifications.state()?.state !== 'running';
    await waitFor('the verification', ended, 60_000);
    return (await stage.get('/verify')).json;
  };
  expect(await verified()).toMatchObject({ status: 'done', intact: true });
  const { files } = itemsOf(await stage.get('/periods')).at(-1) as never as Files;
  await stage.pool.query(`update document set body = 'forged' where sha256 = $1`, [
    Buffer.from(files.journal.sha256, 'hex'),
  ]);
  expect(await verified()).toMatchObject({ status: 'done', intact: false });
});
