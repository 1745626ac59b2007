import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ServerChoice } from '#database/server-choice.js';
import { Timelines } from '#database/timelines.js';
import { importDemoRelease } from '../setup/demo-release.js';
import { ReplicatedDatabase } from '../setup/replicated-database.js';
import type { Customer } from '../setup/service.js';
import { SplitService } from '../setup/split-service.js';
import { more, Traffic } from '../setup/traffic.js';
import { waitFor } from '../setup/wait-for.js';

/** How often a primary is killed and a standby promoted: `KILLS=20` for a long run. */
const KILLS = Number(process.env.KILLS ?? 2);
const PATH = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const CREDITS = 10_000_000;
/** From the promotion to the next charge. */
const AGAIN_MS_MAX = 10_000;
const READY_MS = 30_000;
const PAUSE_MS = 2;

let folder: string;
let database: ReplicatedDatabase;
let service: SplitService;
/** The server that was killed last. */
let dead: number;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-failover-'));
  database = await ReplicatedDatabase.start(folder);
  await importDemoRelease(database.url, folder);
  const settings = { DATA_DIR: path.join(folder, 'own'), DATABASE_REQUIRE_SYNC: 'true' };
  service = await SplitService.start(database.url, settings);
}, 240_000);

afterAll(async () => {
  await service.stop();
  await database.stop();
  await rm(folder, { recursive: true, force: true });
});

function aCustomer(): Promise<Customer> {
  return service.customer(CREDITS, { rate_limit: { per_second: 100_000, burst: 100_000 } });
}

async function readiness(): Promise<string> {
  return (await fetch(`${service.adminUrl}/readyz`)).text();
}

async function allReady(): Promise<void> {
  for (const each of [service.accounting, service.api]) {
    await waitFor('it is ready', () => each.isReady(), READY_MS);
  }
}

function charged(customer: Customer): Promise<void> {
  const isCharged = async () => (await customer.get(PATH)).status === 200;
  return waitFor('a call is charged', isCharged, READY_MS);
}

/**
 * Kills the primary while a standby lacks its last calls, and promotes one. Answers how long the
 * next charge takes from there.
 */
async function failOver(customer: Customer, traffics: readonly Traffic[]): Promise<number> {
  const behind = database.standbyServer;
  await database.stopServer(behind);
  await more(traffics, 50);
  await database.killPrimary();
  await database.startServer(behind);
  dead = await database.promote();
  const promotedAt = performance.now();
  await charged(customer);
  return performance.now() - promotedAt;
}

test('primaries are killed under load: no answered call is lost or charged twice, and the next is charged within 10 s', async () => {
  const customer = await aCustomer();
  const traffics = [
    Traffic.start(await aCustomer(), PAUSE_MS),
    Traffic.startNamed(await aCustomer(), PAUSE_MS),
  ];
  const againMs: number[] = [];
  while (againMs.length < KILLS) {
    if (againMs.length > 0) await database.rejoin(dead);
    await more(traffics, 50);
    againMs.push(await failOver(customer, traffics));
  }
  await Promise.all(traffics.map((traffic) => traffic.stop()));
  await allReady();
  for (const traffic of traffics) await traffic.expectExact(service, CREDITS);
  expect(Math.max(...againMs)).toBeLessThan(AGAIN_MS_MAX);
  const statuses = new Set(traffics.flatMap(({ refused }) => refused.map(({ status }) => status)));
  expect([...statuses].filter((status) => status !== 503 && status !== 504)).toEqual([]);
  // The promoted servers wait for standbys too.
  expect(await readiness()).not.toContain('Commits wait for no standby');
}, 1_800_000);

test('the old primary that comes back is refused, also while there is no other', async () => {
  const customer = await aCustomer();
  const primary = database.primaryServer;
  await database.restartStale(dead);
  expect((await customer.get(PATH)).status).toBe(200);
  // Also by a process that has seen no other timeline.
  const urls = [dead, primary].map((server) => database.urlOf(server));
  const fresh = new ServerChoice({ urls, target: 'read-write' }, new Timelines());
  expect(await fresh.choose()).toBe(database.urlOf(primary));
  await database.stopServer(primary);
  await waitFor('it is refused', async () => (await readiness()).includes('is a stale primary'));
  expect((await customer.get(PATH)).status).toBe(503);
  expect(await service.accounting.isReady()).toBe(false);
  // A standby must not try to follow it either.
  await database.stopServer(dead);
  await database.startServer(primary);
  await allReady();
  await charged(customer);
}, 120_000);

test('readiness warns of a primary whose commits wait for no standby, and stays 200', async () => {
  await database.setOnPrimary(`synchronous_standby_names = ''`);
  await waitFor('it warns', async () =>
    (await readiness()).includes('(synchronous_standby_names is empty)'),
  );
  expect(await service.accounting.isReady()).toBe(true);
});
