import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ServerChoice } from '#database/server-choice.js';
import { Timelines } from '#database/timelines.js';
import type { Page } from '#ledger/views/account-reads.js';
import { importDemoRelease } from '../setup/demo-release.js';
import { freePort } from '#embedded-postgres/free-port.js';
import { ReplicatedDatabase } from '../setup/replicated-database.js';
import type { Answer, Customer } from '../setup/service.js';
import { SplitService } from '../setup/split-service.js';
import { waitFor } from '../setup/wait-for.js';

const PATH = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const CALLERS = 8;
/** From the promotion to the next charge. */
const AGAIN_MS_MAX = 10_000;
const READY_MS = 30_000;

let folder: string;
let database: ReplicatedDatabase;
let service: SplitService;
let customer: Customer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-failover-'));
  database = await ReplicatedDatabase.start(folder, [await freePort(), await freePort()]);
  await importDemoRelease(database.url, folder);
  service = await SplitService.start(database.url, { DATA_DIR: path.join(folder, 'own') });
  const rate_limit = { per_second: 100_000, burst: 100_000 };
  customer = await service.customer(10_000_000, { rate_limit });
}, 240_000);

afterAll(async () => {
  await service.stop();
  await database.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Ids of all calls that stand in the log. */
async function logged(): Promise<ReadonlySet<unknown>> {
  const ids = new Set<unknown>();
  let after = '';
  do {
    const { body } = await service.admin(
      `/accounts/${customer.accountId}/calls?limit=1000${after}`,
    );
    const page = body as unknown as Page<{ readonly call_id: string }>;
    for (const { call_id: id } of page.items) ids.add(id);
    after = page.next === null ? '' : `&after=${page.next}`;
  } while (after !== '');
  return ids;
}

async function readiness(): Promise<string> {
  return (await fetch(`${service.adminUrl}/readyz`)).text();
}

async function allReady(): Promise<void> {
  for (const each of [service.accounting, service.api]) {
    await waitFor('it is ready', () => each.isReady(), READY_MS);
  }
}

test('a promotion under load loses no acknowledged call, and the next is charged within 10 s', async () => {
  const answers: Answer[] = [];
  let going = true;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (going) answers.push(await customer.get(PATH));
  });
  await waitFor('calls are answered', () => answers.length > 300, READY_MS);
  await database.killPrimary();
  await database.promote();
  const promotedAt = performance.now();
  const before = answers.length;
  await waitFor(
    'calls are answered again',
    () => answers.slice(before + CALLERS).some(({ status }) => status === 200),
    READY_MS,
  );
  const againMs = performance.now() - promotedAt;
  await waitFor('many are', () => answers.filter(isServed).length > 600, READY_MS);
  going = false;
  await Promise.all(callers);
  expect(againMs).toBeLessThan(AGAIN_MS_MAX);
  expect(new Set(answers.map(({ status }) => status))).not.toContain(500);
  await allReady();
  const ids = await logged();
  const lost = answers.filter(isServed).filter(({ headers }) => !ids.has(headers.get('call-id')));
  expect(lost).toEqual([]);
}, 120_000);

function isServed({ status }: Answer): boolean {
  return status === 200;
}

test('the old primary that comes back is refused, also while there is no other', async () => {
  await database.restartOldPrimary();
  expect((await customer.get(PATH)).status).toBe(200);
  // Also by a process that has seen no other timeline.
  const servers = { urls: [database.urlOf(0), database.urlOf(1)], target: 'read-write' } as const;
  const fresh = new ServerChoice(servers, new Timelines());
  expect(await fresh.choose()).toBe(database.urlOf(1));
  await database.stopServer(1);
  await waitFor('it is refused', async () => (await readiness()).includes('is a stale primary'));
  expect((await customer.get(PATH)).status).toBe(503);
  expect(await service.accounting.isReady()).toBe(false);
  await database.startServer(1);
  await allReady();
  expect((await customer.get(PATH)).status).toBe(200);
}, 120_000);
