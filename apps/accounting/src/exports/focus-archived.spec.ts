import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { archiveCalls } from '#backup/archives/archive-calls.js';
import { ArchivedData } from '#backup/archives/archived-data.js';
import { laneOf } from '#event-log/event-log.js';
import { archivableVersions } from '#ledger/archives/archivable-calls.js';
import { PostgresAccountReads } from '#ledger/reads/postgres-account-reads.js';
import { FocusExport } from '#rest/exports/focus-export.js';
import { terms } from '#account/scenario.suite.js';
import { AdminStage } from '../admin/admin-stage.suite.js';
import { invoiced, TOP_5 } from '../invoicing/invoicing-stage.suite.js';

let stage: AdminStage;
let folder: string;

beforeAll(async () => {
  stage = await AdminStage.open();
  folder = await mkdtemp(path.join(tmpdir(), 'archive-'));
});

afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true, force: true });
});

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** The export of a process that reads the files of archives. */
async function fromFiles(accountId: string): Promise<string> {
  const { pool, log, stream: system } = stage;
  const clock = { now: () => stage.now };
  const { calendar } = terms;
  const data = new ArchivedData(folder);
  const reads = new PostgresAccountReads(pool, calendar, clock, undefined, data);
  const focus = new FocusExport({ pool, log, system, reads, calendar, clock });
  return textOf(await focus.pieces({ month: '2026-11', test: true, accountId }, 'text/csv'));
}

async function archive(accountId: string): Promise<void> {
  const { pool, log, stream: system } = stage;
  const lane = laneOf(accountId);
  const find = () => archivableVersions(pool, lane, '2026-12');
  while (!(await find()).has(accountId)) await new Promise(setImmediate);
  const parts = { pool, log, system, folder, now: () => stage.now };
  expect(await archiveCalls(parts, '2026-12', [{ lane, versions: await find() }])).not.toBeNull();
}

test('an archived month is the same file, or refused before it begins', async () => {
  const { id } = await invoiced(stage);
  await stage.call(id, { resource: TOP_5, at: Date.parse('2026-12-01T09:00:00Z') });
  const url = `/accounts/${id}/exports/focus?month=2026-11`;
  const before = await stage.get(url);
  expect(before.text).toContain('Usage');
  await archive(id);
  expect(await fromFiles(id)).toBe(before.text);
  // This one has no files.
  for (const asked of [url, '/exports/invoices?format=focus&month=2026-11&test=true']) {
    const { status, json } = await stage.get(asked);
    expect([status, json['code'], json['archive']]).toEqual([409, 'calls-archived', 1]);
  }
  // What reads single calls of the month needs the files, too, and says so.
  const savings = await stage.get(`/accounts/${id}/savings?month=2026-11`);
  expect([savings.status, savings.json['code']]).toEqual([409, 'calls-archived']);
  const december = await stage.get(`/accounts/${id}/exports/focus?month=2026-12`);
  expect(december.status).toBe(200);
  await rm(folder, { recursive: true });
  await expect(fromFiles(id)).rejects.toThrow(/archive 1/);
});
