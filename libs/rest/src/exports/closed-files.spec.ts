import { parse } from 'csv-parse/sync';
import { terms } from '#account/scenario.suite.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { Retention } from '#invoicing/retention.js';
import { documentHash } from '#projections/invoices/documents.js';
import { PostgresAccountReads } from '#projections/reads/postgres-account-reads.js';
import { Exports } from './exports.js';
import { FocusExport } from './focus-export.js';
import { waitFor } from '../../../../test/setup/wait-for.js';
import { itemsOf } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import { customer, NO_TAX, SELLER } from '../../../../test/setup/invoicing-stage.js';

const MONTH = '2025-11';
const FORMATS = ['journal', 'csv', 'jsonl', 'zip'] as const;
const REFERENCE = 'Transfer of Ada Lovelace';
const BUYER_NAME = 'Lovelace Analytics';

type Stated = Record<(typeof FORMATS)[number], { sha256: string; bytes: number }>;

const stage = adminStage();
let account: string;
let stated: Stated;

/** A closed month with an invoice of a purchase and its payment, which says who has paid. */
beforeAll(async () => {
  stage.now = Date.parse('2025-11-14T09:00:00Z');
  await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
  account = await customer(stage, { test_clock: undefined, plan: undefined });
  const address = { line1: '1 High Street', city: 'Leeds', postcode: 'LS1 1AA', country: 'GB' };
  await stage.ask('PUT', `/admin/v1/accounts/${account}/billing`, {
    body: { name: BUYER_NAME, email: 'ada@example.org', tax: NO_TAX, address },
  });
  const bought = { credits: 100, kind: 'purchased', price: 1_000 };
  const { json } = await stage.post(`/accounts/${account}/grants`, bought);
  const payment = { amount: 1_000, date: '2025-11-14', reference: REFERENCE };
  const path = `/invoices/${String(json['invoice_number'])}/payments`;
  expect((await stage.post(path, payment)).status).toBe(201);
  stage.now = Date.parse('2025-12-02T09:00:00Z');
  const closed = await stage.post(`/periods/${MONTH}/close`, { reason: 'Handed over.' });
  stated = closed.json['files'] as Stated;
});

async function exported(format: string): Promise<Buffer> {
  return (await stage.get(`/exports/invoices?issued_month=${MONTH}&format=${format}`)).bytes;
}

/** Of each format, as a close states it. */
async function servedNow(): Promise<Stated> {
  const files: Partial<Stated> = {};
  for (const format of FORMATS) {
    const bytes = await exported(format);
    files[format] = { sha256: documentHash(bytes), bytes: bytes.length };
  }
  return files as Stated;
}

/** Rows of documents of one kind, with what they hold. */
async function rowsOf(mediaType: string): Promise<readonly { id: string; body: Buffer }[]> {
  const { rows } = await stage.pool.query<{ id: string; body: Buffer }>(
    `select encode(sha256, 'hex') as id, body from document where media_type = $1`,
    [mediaType],
  );
  return rows;
}

async function isIntact(): Promise<unknown> {
  await stage.post('/verify');
  const ended = () => stage.logTools.verifications.state()?.state !== 'running';
  await waitFor('the verification', ended, 60_000);
  return (await stage.get('/verify')).json['intact'];
}

/** The same files by a program that finds an event of a close from before files were kept. */
async function asOlderClose(format: 'csv' | 'jsonl' | 'zip'): Promise<Buffer> {
  const { pool } = stage;
  const { calendar } = terms;
  const [log, clock] = [new PostgresEventLog(pool), { now: () => stage.now }];
  const system = new SystemStream(log);
  const reads = new PostgresAccountReads(pool, calendar, clock);
  const focus = new FocusExport({ pool, log, system, reads, calendar, clock });
  const projections = { catchUp: () => Promise.resolve(true) };
  const exports = new Exports({ pool, log, system, projections, calendar, clock, focus });
  const scope = { by: 'issue', month: MONTH, test: false } as const;
  const { content, isKept } = await exports.invoices({ ...scope, format, accounts: {} });
  expect(isKept).toBe(false);
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(Buffer.from(piece as Uint8Array));
  return Buffer.concat(pieces);
}

it('the files of a close have the bytes that it states', async () => {
  expect(await servedNow()).toEqual(stated);
  const texts = [];
  for (const format of ['journal', 'csv', 'jsonl']) texts.push(String(await exported(format)));
  for (const text of texts) {
    expect([text.includes(REFERENCE), text.includes(BUYER_NAME)]).toEqual([true, true]);
  }
});

it('a closed month keeps its documents once: the archive names the rows of its PDFs', async () => {
  const pdfs = await rowsOf('application/pdf');
  const lists = (await rowsOf('text/plain')).map(({ body }) => body.toString());
  expect(pdfs).toHaveLength(1);
  for (const { id, body } of pdfs) {
    expect(lists.filter((list) => list.includes(id))).toHaveLength(1);
    const parts = await rowsOf('application/octet-stream');
    expect(parts.filter((part) => part.body.includes(body))).toEqual([]);
  }
});

it('a closed month keeps its bytes when a customer of it is erased', async () => {
  expect((await stage.post(`/accounts/${account}/close`, { reason: 'Left.' })).status).toBe(200);
  expect((await stage.post(`/accounts/${account}/erase`, { reason: 'Asked for.' })).status).toBe(
    200,
  );
  const payments = await stage.get(`/exports/invoices?month=${MONTH}&format=jsonl`);
  expect(payments.text).toContain('"type":"payment"');
  expect(payments.text).not.toContain(REFERENCE);
  expect(await servedNow()).toEqual(stated);
  expect(await isIntact()).toBe(true);
}, 90_000);

it('a part that was changed is not served, and found by a verification', async () => {
  const [{ id, body } = { id: '', body: Buffer.alloc(0) }] = (
    await rowsOf('application/octet-stream')
  ).filter((part) => part.body.includes(REFERENCE));
  const change = (to: Buffer) =>
    stage.pool.query(`update document set body = $2 where encode(sha256, 'hex') = $1`, [id, to]);
  await change(Buffer.from('forged'));
  const statuses: number[] = [];
  for (const format of ['journal', 'csv', 'jsonl']) {
    const path = `/exports/invoices?issued_month=${MONTH}&format=${format}`;
    statuses.push((await stage.get(path)).status);
  }
  expect(new Set(statuses)).toEqual(new Set([200, 500]));
  stage.errors.splice(0);
  expect(await isIntact()).toBe(false);
  await change(body);
  expect(await isIntact()).toBe(true);
}, 90_000);

describe('after the legal term', () => {
  const retention = () =>
    new Retention({
      pool: stage.pool,
      system: stage.stream,
      calendar: terms.calendar,
      years: 10,
    });

  /** Rows with the customer's name, of whichever kind. */
  const named = async () =>
    (await rowsOf('application/octet-stream')).filter(
      ({ body }) => body.includes(BUYER_NAME) || body.includes(REFERENCE),
    );

  /** Postings of a journal, without its customers and references. */
  const postings = (journal: Buffer) =>
    (parse(journal, { columns: true }) as Record<string, string>[]).map((row) =>
      ['entry', 'date', 'document', 'ledger_account', 'debit', 'credit'].map((name) => row[name]),
    );

  it('keeps the files to its last day', async () => {
    await retention().run(Date.parse('2035-12-31T12:00:00Z'));
    expect(await named()).not.toEqual([]);
    expect(await servedNow()).toEqual(stated);
  });

  it('nothing is left of the files; exports are made of what is left', async () => {
    const before = postings(await exported('journal'));
    await retention().run(Date.parse('2036-01-01T12:00:00Z'));
    await retention().run(Date.parse('2036-01-02T12:00:00Z'));
    expect(await named()).toEqual([]);
    const csv = (await exported('csv')).toString();
    expect([csv.includes('INV-000001'), csv.includes(BUYER_NAME)]).toEqual([true, false]);
    expect((await exported('zip')).includes('INV-000001.json')).toBe(true);
    expect(postings(await exported('journal'))).toEqual(before);
    const removed = itemsOf(await stage.get('/audit?limit=1000')).filter(
      ({ type }) => type === 'DocumentsRedacted',
    );
    expect(removed.map(({ data }) => data)).toMatchObject([
      { documents: 1, first: 'INV-000001' },
      { documents: 0, of: 'periods', first: MONTH, last: MONTH },
    ]);
    expect(await isIntact()).toBe(true);
  }, 90_000);
});

it('a close of an older version, which kept its journal alone, is made again', async () => {
  await stage.pool.query(
    `update event set data = regexp_replace(data::text, ',"parts":"[0-9a-f]{64}"', '', 'g')::json
      where type = 'PeriodClosed'`,
  );
  for (const format of ['csv', 'jsonl', 'zip'] as const) {
    expect((await asOlderClose(format)).includes('INV-000001')).toBe(true);
  }
});
