import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { terms } from '#account/scenario.suite.js';
import { PostgresAccountReads } from '#ledger/reads/postgres-account-reads.js';
import { AuditReads } from '#rest/audit/audit-reads.js';
import { evidenceEntries } from '#rest/evidence/evidence-pack.js';
import { Exports } from '#rest/exports/exports.js';
import { FocusExport } from '#rest/exports/focus-export.js';
import { AdminStage } from '../admin/admin-stage.suite.js';
import { BUYER, customer, SELLER, TOP_5 } from '../invoicing/invoicing-stage.suite.js';

const folder = mkdtempSync(path.join(tmpdir(), 'evidence-'));
let stage: AdminStage;

function check(): { readonly status: number | null; readonly text: string } {
  const { status, stdout } = spawnSync(process.execPath, [path.join(folder, 'check.mjs')]);
  return { status, text: stdout.toString() };
}

/**
 * A closed month with an invoice of a plan, one of a purchase, a credit note and a payment,
 * unpacked.
 */
beforeAll(async () => {
  stage = await AdminStage.open();
  stage.now = Date.parse('2025-11-24T09:00:00Z');
  await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
  const planned = await customer(stage, { test_clock: undefined });
  await stage.ask('PUT', `/admin/v1/accounts/${planned}/billing`, { body: BUYER });
  await stage.ask('PATCH', `/admin/v1/accounts/${planned}`, {
    body: { overdraft_credits: 70_000, reason: 'Agreed by phone.' },
  });
  await stage.call(planned, { resource: TOP_5 });
  stage.now = Date.parse('2025-12-02T10:00:00Z');
  await stage.post('/invoice-runs', { month: '2025-11' });
  const bought = { credits: 1_000, kind: 'purchased', price: 125_000 };
  await stage.post(`/accounts/${planned}/grants`, bought);
  const { json } = await stage.get(`/invoices?account_id=${planned}&month=2025-11`);
  const [{ number = '' } = {}] = json['items'] as { number?: string }[];
  const fee = { reason: 'Agreed.', lines: [{ line: 3, amount: 900 }] };
  await stage.post(`/invoices/${number}/credit-notes`, fee);
  await stage.post(`/invoices/${number}/payments`, { amount: 1_000, date: '2025-12-02' });
  const { pool } = stage;
  const { calendar } = terms;
  const [log, clock] = [new PostgresEventLog(pool), { now: () => stage.now }];
  const system = new SystemStream(log);
  const reads = new PostgresAccountReads(pool, calendar, clock);
  const focus = new FocusExport({ pool, log, system, reads, calendar, clock });
  const audit = new AuditReads({
    pool,
    log,
    actors: { names: () => Promise.resolve(new Map()) },
    signIns: { flush: () => Promise.resolve() },
  });
  const projections = { catchUp: () => Promise.resolve(true) };
  stage.now = Date.parse('2026-01-02T09:00:00Z');
  await stage.post('/periods/2025-12/close', { reason: 'Handed over.' });
  const parts = {
    pool,
    calendar,
    system,
    exports: new Exports({ pool, log, system, projections, calendar, clock, focus }),
    // The months of the audit are those of the real clock.
    audit: { list: () => audit.list({ order: 'asc' }, null) },
    verify: () => Promise.resolve({ intact: true, checks: [] }),
  };
  for await (const { name, body } of evidenceEntries(parts, '2025-12')) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, body);
  }
}, 60_000);

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await stage.close();
});

type Damage = (text: string) => string;

/** Says what the script finds in a pack of which one file, or more, were changed. */
function checkDamaged(damages: readonly (readonly [name: string, damage: Damage])[]) {
  const kept = damages.map(([name, damage]) => {
    const was = text(name);
    expect(damage(was)).not.toBe(was);
    writeFileSync(path.join(folder, name), damage(was));
    return [name, was] as const;
  });
  const found = check();
  for (const [name, was] of kept) writeFileSync(path.join(folder, name), was);
  return found;
}

function text(name: string): string {
  return readFileSync(path.join(folder, name), 'utf8');
}

/** The list of documents without one of them. */
function without(number: string): Damage {
  return (was) => {
    const { documents, ...rest } = JSON.parse(was) as { documents: { number: string }[] };
    return JSON.stringify({ ...rest, documents: documents.filter((one) => one.number !== number) });
  };
}

test('a pack is sound by its own script, offline', () => {
  const { status, text: said } = check();
  expect(said).not.toContain('FAILED');
  expect(said).toContain('2025-12 was closed at 2026-01-02T09:00:00.000Z by owner: Handed over.');
  expect(said.match(/^ok /gm)).toHaveLength(11);
  expect(status).toBe(0);
});

test('a pack holds the documents of the month, heads, numbers and changes with their reasons', () => {
  const { documents } = JSON.parse(text('documents.json')) as {
    documents: { number: string; type: string }[];
  };
  expect(documents.map(({ type }) => type)).toEqual(['invoice', 'invoice', 'credit_note']);
  expect(text('lane-heads.csv').trimEnd().split('\r\n')).toHaveLength(1 + 65);
  expect(text('account-heads.csv')).toMatch(/,[0-9a-f]{64}\r\n/);
  expect(text('numbers.csv').trimEnd().split('\r\n')).toHaveLength(1 + 4);
  expect(text('changes.csv')).toContain('CreditsGranted');
  expect(text('changes.csv')).toContain('Agreed.');
  expect(text('README.md')).toContain('node check.mjs');
});

describe('the script finds', () => {
  test.each<[string, string, (text: string) => string, string]>([
    ['a changed file', 'changes.csv', (was) => `${was} `, 'changes.csv was changed.'],
    [
      'a debit that is not its credit',
      'journal.csv',
      (was) => was.replace(',148750,0', ',148751,0'),
      'Debits equal credits',
    ],
    [
      'a number that is left out',
      'numbers.csv',
      (was) => was.replace(/INV,1,.*\r\n/, ''),
      'is not number 1.',
    ],
    [
      'a total of another amount',
      'numbers.csv',
      (was) => was.replace(/,EUR,\d+,/, ',EUR,1,'),
      'has another total in the log.',
    ],
    [
      'a verification that found something',
      'verification.json',
      (was) => was.replace('true', 'false'),
      'verification.json lists',
    ],
    [
      'a document that is left out',
      'documents.json',
      without('INV-000001'),
      'INV-000001 is not in documents.json.',
    ],
    [
      'a document that is not booked',
      'journal.csv',
      (was) => was.replaceAll(/^\d+,[^,]*,INV-000002,.*\r\n/gm, ''),
      'INV-000002: 148750 is not what was booked.',
    ],
    [
      'a sale that is not booked',
      'journal.csv',
      (was) => was.replaceAll(/^.*Sale of credits.*\r\n/gm, ''),
      'EUR: 0 was booked, and 125000 is owed more.',
    ],
    [
      'a grant that is left out of the liability',
      'credit-liability.csv',
      (was) => was.replace(/^grant,.*\r\n/m, ''),
      'EUR: closing',
    ],
    [
      'a grant that was used without saying so',
      'credit-liability.csv',
      (was) => was.replace(/^(grant,.*),1000,1250.00,125000,/m, '$1,999,1250.00,125000,'),
      ': credits',
    ],
    [
      'a payment that the close did not know',
      'invoices.csv',
      (was) => was.replace('payment', 'refund'),
      'invoices.csv is not what the close stated.',
    ],
    [
      'a journal that the close did not know',
      'journal.csv',
      (was) => was.replace('Payment', 'Repayment'),
      'journal.csv is not what the close stated.',
    ],
  ])('%s', (_what, name, damage, fault) => {
    const { status, text: said } = checkDamaged([[name, damage]]);
    expect(said).toContain(fault);
    expect(status).toBe(1);
  });

  it('a document that is left out of documents and journal alike', () => {
    const { text: said } = checkDamaged([
      ['documents.json', without('INV-000001')],
      ['journal.csv', (was) => was.replaceAll(/^\d+,[^,]*,INV-000001,.*\r\n/gm, '')],
    ]);
    expect(said).toContain('INV-000001 is not in documents.json.');
  });
});
