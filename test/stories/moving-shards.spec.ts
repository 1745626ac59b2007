import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { laneOf, type LaneGroups } from '#event-log/event-log.js';
import { storedGroups } from '#event-log/stored-groups.js';
import { workersOf, type ServerAddress } from '../../bench/join-cluster.js';
import { importDemoRelease } from '../setup/demo-release.js';
import { Program } from '../setup/program.js';
import type { Customer } from '../setup/service.js';
import { SplitService } from '../setup/split-service.js';
import { emptyNode, moveShardOf, splitShardOf } from '../setup/test-cluster.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { Traffic } from '../setup/traffic.js';
import { waitFor } from '../setup/wait-for.js';

const CREDITS = 10_000_000;
const RATE = { rate_limit: { per_second: 10_000, burst: 10_000 } };
const PAUSE_MS = 5;
const SERVED = 50;
const CUSTOMERS = 3;

let folder: string;
let database: TestDatabase;
let client: pg.Client;
let workers: readonly ServerAddress[];

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-moving-'));
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  workers = await workersOf(client);
  if (isCluster()) await importDemoRelease(database.url, folder);
  else process.stderr.write('TEST_DATABASE_URL names no cluster: not tested.\n');
}, 240_000);

afterAll(async () => {
  await client.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const isCluster = (): boolean => workers.length > 0;

/** Customers whose lanes are of one group, all of different lanes. */
async function neighbours(service: SplitService, groups: LaneGroups): Promise<Customer[]> {
  const found = new Map<number, Map<number, Customer>>();
  for (;;) {
    const customer = await service.customer(CREDITS, RATE);
    const lane = laneOf(customer.accountId);
    const at = groups.findIndex((group) => group.includes(lane));
    const own = (found.get(at) ?? new Map<number, Customer>()).set(lane, customer);
    found.set(at, own);
    if (own.size === CUSTOMERS && !groups[at]?.includes(0)) return [...own.values()];
  }
}

async function moreAreServed(all: readonly Traffic[]): Promise<void> {
  const before = all.map(({ served }) => served.length + SERVED);
  await waitFor(
    'calls of each are served',
    () => all.every(({ served }, at) => served.length > (before[at] ?? 0)),
    30_000,
  );
}

test.each([
  ['one thread', '0'],
  ['two threads', '2'],
])(
  'while shards are moved and split, no call is refused, lost or charged twice: %s',
  async (_how, deciders) => {
    if (!isCluster()) return;
    const service = await SplitService.start(database.url, { DECIDERS: deciders });
    try {
      const groups = await storedGroups(client);
      const customers = await neighbours(service, groups);
      const group = groups.find((lanes) => lanes.includes(laneOf(customers[0]?.accountId ?? '')));
      const all = customers.map((customer) => Traffic.start(customer, PAUSE_MS));
      await moreAreServed(all);
      for (let move = 0; move < 2; move += 1) await moveShardOf(client, group ?? []);
      await moreAreServed(all);
      await splitShardOf(client, group ?? []);
      await moreAreServed(all);

      expect(await storedGroups(client)).toHaveLength(groups.length + 1);
      await Promise.all(all.map((traffic) => traffic.stop()));
      expect(all.flatMap(({ refused }) => refused)).toEqual([]);
      for (const traffic of all) await traffic.expectExact(service, CREDITS);
      // An account that nobody has called yet is loaded from a shard that was made meanwhile.
      const late = await service.customer(CREDITS, RATE);
      const calls = Traffic.start(late, PAUSE_MS);
      await moreAreServed([calls]);
      await calls.stop();
      expect(calls.refused).toEqual([]);
    } finally {
      await service.stop();
    }
  },
  240_000,
);

/** A customer in each group of lanes. */
async function oneInEach(service: SplitService, groups: LaneGroups): Promise<Customer[]> {
  const found = new Map<number, Customer>();
  const ofAccounts = groups.filter((lanes) => lanes.some((lane) => lane > 0));
  while (found.size < ofAccounts.length) {
    const customer = await service.customer(CREDITS, RATE);
    const lane = laneOf(customer.accountId);
    found.set(
      groups.findIndex((lanes) => lanes.includes(lane)),
      customer,
    );
  }
  return [...found.values()];
}

/** Runs `popindex cluster`: what it prints as JSON, and its standard error. */
async function clusterCommand(name: string): Promise<readonly [Record<string, unknown>, string]> {
  const program = Program.popindex(['cluster', name, '--json'], { DATABASE_URL: database.url });
  expect([await program.ended, program.stderr]).toEqual([0, expect.any(String)]);
  return [JSON.parse(program.stdout) as Record<string, unknown>, program.stderr];
}

async function shardsOfNodes(): Promise<number[]> {
  const [{ nodes }] = await clusterCommand('status');
  return (nodes as { readonly shards: number }[]).map(({ shards }) => shards);
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

test('`popindex cluster rebalance` gives an empty worker its share and says how far it is: no call is refused, lost or charged twice', async () => {
  const [empty] = workers;
  if (empty === undefined) return;
  await emptyNode(client, empty);
  const service = await SplitService.start(database.url);
  try {
    const groups = await storedGroups(client);
    const before = await shardsOfNodes();
    expect([before[0], sumOf(before)]).toEqual([0, groups.length]);
    const customers = await oneInEach(service, groups);
    const all = customers.map((customer) => Traffic.start(customer, PAUSE_MS * customers.length));
    await moreAreServed(all);
    const [result, said] = await clusterCommand('rebalance');
    await moreAreServed(all);
    await Promise.all(all.map((traffic) => traffic.stop()));

    const after = await shardsOfNodes();
    expect(sumOf(after)).toBe(groups.length);
    expect(Math.max(...after) - Math.min(...after)).toBeLessThan(2);
    const moves = sumOf(after.map((shards, at) => Math.max(0, shards - (before[at] ?? 0))));
    expect(result).toEqual({ outcome: 'moved', moves, detail: null });
    expect(said).toMatch(/^moving: 0 % \(0 of \d+ shards\)\n(moving: .+\n)+$/);
    expect(said).toContain(`moving: 100 % (${moves} of ${moves} shards)`);
    expect(all.flatMap(({ refused }) => refused)).toEqual([]);
    for (const traffic of all) await traffic.expectExact(service, CREDITS);
    expect(await clusterCommand('rebalance')).toEqual([
      { outcome: 'balanced', moves: 0, detail: null },
      '',
    ]);
  } finally {
    await service.stop();
  }
}, 240_000);
