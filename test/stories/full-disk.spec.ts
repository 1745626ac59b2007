import { mkdtempSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UnsettledJournal } from '#charging-link/unsettled-journal.js';
import { EmbeddedPostgres } from '#embedded-postgres/embedded-postgres.js';
import { SmallDisk } from '../../bench/torture/small-disk.js';
import { importDemoRelease } from '../setup/demo-release.js';
import { quickest } from '../setup/quickest.js';
import type { Answer, Customer } from '../setup/service.js';
import { SplitService } from '../setup/split-service.js';
import { waitFor } from '../setup/wait-for.js';

const PATH = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const BALANCE = 10_000_000;
const READY_MS = 60_000;
const CALL = {
  accountId: '0197c000-0000-7000-8000-00000000000a',
  callId: '0197c000-0000-7000-9000-000000000001',
};

const folder = mkdtempSync(path.join(tmpdir(), 'popindex-full-'));
const disk = SmallDisk.make(path.join(folder, 'disk'), 400);
if (disk === null) process.stderr.write('No small disk can be mounted: skipped.\n');
const onDisk = disk === null ? describe.skip : describe;

let postgres: EmbeddedPostgres;
let service: SplitService;
let customer: Customer;

function room(): SmallDisk {
  if (disk === null) throw new Error('There is no small disk.');
  return disk;
}

async function startAll(): Promise<void> {
  const dataDir = path.join(room().folder, 'data');
  postgres = await EmbeddedPostgres.start({ dataDir });
  await importDemoRelease(postgres.url, folder);
  service = await SplitService.start(postgres.url, { DATA_DIR: path.join(folder, 'own') });
  const rate_limit = { per_second: 100_000, burst: 100_000 };
  customer = await service.customer(BALANCE, { rate_limit });
}

/** The write-ahead log on another disk than the tables. */
async function moveWal(to: string): Promise<void> {
  const { port } = new URL(postgres.url);
  await postgres.stop();
  const dataDir = path.join(room().folder, 'data');
  const from = path.join(dataDir, 'postgres', 'pg_wal');
  await cp(from, to, { recursive: true });
  renameSync(from, `${from}.moved`);
  await rm(`${from}.moved`, { recursive: true });
  symlinkSync(to, from);
  postgres = await EmbeddedPostgres.start({ dataDir, port: Number(port) });
  await expectReady();
}

async function expectReady(): Promise<void> {
  for (const each of [service.accounting, service.api]) {
    await waitFor('it is ready', () => each.isReady(), READY_MS);
  }
}

/** Answers of several calls at once. */
function severalCalls(): Promise<Answer[]> {
  return Promise.all(Array.from({ length: 8 }, () => customer.get(PATH)));
}

/** Calls until one is refused; answers all of them. */
async function callUntilRefused(): Promise<Answer[]> {
  const answers: Answer[] = [];
  do answers.push(...(await severalCalls()));
  while (answers.every(({ status }) => status === 200));
  return answers;
}

/** Expects that exactly the calls answered with 200 were charged. */
async function expectCharged(answers: readonly Answer[]): Promise<void> {
  const used = answers
    .filter(({ status }) => status === 200)
    .reduce((sum, { headers }) => sum + Number(headers.get('credits-used')), 0);
  const { body } = await service.admin(`/accounts/${customer.accountId}`);
  expect(body.balance).toBe(BALANCE - used);
}

onDisk('when a disk is full', () => {
  beforeAll(startAll, 240_000);

  afterEach(() => room().empty());

  afterAll(async () => {
    await service.stop();
    await postgres.stop();
    await room().remove();
    await rm(folder, { recursive: true, force: true });
  });

  test('that of the tables: calls are refused at once, readiness names it, and all goes on', async () => {
    await moveWal(path.join(folder, 'wal'));
    await room().fill();
    const answers = await callUntilRefused();
    const tookMs = await quickest(3_000, async () => {
      const startedAt = performance.now();
      answers.push(...(await severalCalls()));
      return performance.now() - startedAt;
    });
    expect(tookMs).toBeLessThan(3_000);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
    const readiness = await (await fetch(`${service.adminUrl}/readyz`)).text();
    expect(readiness).toContain('the disk of the database is full');
    expect(await service.accounting.isReady()).toBe(false);
    await room().empty();
    await expectReady();
    answers.push(await customer.get(PATH));
    expect(answers.at(-1)?.status).toBe(200);
    await expectCharged(answers);
  }, 240_000);

  test('that of DATA_DIR: readiness names it, and no empty file is left behind', async () => {
    const dataDir = path.join(room().folder, 'api');
    const faults: unknown[] = [];
    const journal = new UnsettledJournal(dataDir, (error) => faults.push(error));
    expect(await journal.keep(CALL)).toBe(true);
    await journal.drop(CALL);
    await room().fill();
    expect(await journal.keep(CALL)).toBe(false);
    expect(String(faults[0])).toContain('ENOSPC');
    expect(readdirSync(path.join(dataDir, 'unsettled-calls'))).toEqual([]);
  });
});
