import path from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { laneOf, type LaneGroups } from '#event-log/event-log.js';
import { storedGroups } from '#event-log/stored-groups.js';
import { Service, type Customer } from '../setup/service.js';
import { Traffic } from '../setup/traffic.js';
import { waitFor } from '../setup/wait-for.js';

const CREDITS = 1_000_000;
const DECIDERS = 2;
const RATE = { rate_limit: { per_second: 10_000, burst: 10_000 } };
const START_MS = 200_000;
const DYING = pathToFileURL(path.resolve('test/setup/dying-deciders.mjs')).href;

let service: Service;
let groups: LaneGroups;

beforeAll(async () => {
  service = await Service.start({
    DECIDERS: String(DECIDERS),
    NODE_OPTIONS: `--import ${DYING}`,
  });
  const client = new pg.Client(service.databaseUrl);
  await client.connect();
  groups = await storedGroups(client);
  await client.end();
}, START_MS);

afterAll(async () => {
  await service.stop();
});

/** Each decider has neighbouring groups of lanes, the first one that of the system. */
function deciderOf({ accountId }: Customer): number {
  const group = groups.findIndex((lanes) => lanes.includes(laneOf(accountId)));
  return Math.floor((group * DECIDERS) / groups.length);
}

/** A customer of each decider, in the order of their groups. */
async function customerOfEach(): Promise<[Customer, Customer]> {
  const found = new Map<number, Customer>();
  while (found.size < DECIDERS) {
    const customer = await service.customer(CREDITS, RATE);
    found.set(deciderOf(customer), customer);
  }
  return [found.get(0), found.get(1)] as [Customer, Customer];
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.apiUrl}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(name));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

async function serving(): Promise<number> {
  return metric('popindex_deciders ');
}

async function expectIntact(): Promise<void> {
  await service.admin('/verify', {}, 'POST');
  const ended = async () => (await service.admin('/verify')).body.status !== 'running';
  await waitFor('the verification', ended, START_MS);
  expect((await service.admin('/verify')).body).toMatchObject({ status: 'done', intact: true });
}

test('calls and changes of all accounts go through their deciders, whose metrics are in the one list', async () => {
  const customers = await customerOfEach();
  const before = await metric('popindex_commit_events_sum');
  for (const customer of customers) {
    const traffic = Traffic.start(customer);
    await waitFor('calls are answered', () => traffic.served.length > 20);
    await traffic.stop();
    await traffic.expectExact(service, CREDITS);
  }
  expect(await metric('popindex_commit_events_sum')).toBeGreaterThan(before + 40);
  expect(await serving()).toBe(DECIDERS);
});

test(
  'while a decider is replaced the other serves, and its calls are answered, given back or never charged',
  async () => {
    const customers = await customerOfEach();
    const all = customers.map((customer) => Traffic.start(customer, 2));
    for (let kills = 0; kills < 4; kills += 1) {
      const before = all.map(({ served }) => served.length);
      const isMoved = () => all.every(({ served }, index) => served.length > before[index]! + 50);
      await waitFor('calls of both are answered', isMoved);
      const failed = all.map(({ refused }) => refused.length);
      service.process.child.kill('SIGUSR2');
      await waitFor('a decider is gone', async () =>
        all.some(({ refused }, index) => refused.length > failed[index]!),
      );
      // The first and the second in turns: no call of the other's account is refused.
      const other = 1 - (kills % DECIDERS);
      await waitFor('another takes its place', async () => (await serving()) === DECIDERS);
      expect(all[other]?.refused.length).toBe(failed[other]);
    }
    await Promise.all(all.map((traffic) => traffic.stop()));
    for (const traffic of all) await traffic.expectExact(service, CREDITS);
    expect(service.process.output).toContain('A decider ended; another takes its place.');
    await expectIntact();
  },
  START_MS,
);

test(
  'after a kill of the whole process nothing is charged that was not answered',
  async () => {
    const all = (await customerOfEach()).map((customer) => Traffic.start(customer));
    await waitFor('calls are answered', () => all.every(({ served }) => served.length > 100));
    await service.process.stop('SIGKILL');
    await Promise.all(all.map((traffic) => traffic.stop()));
    await service.restart();
    for (const traffic of all) await traffic.expectExact(service, CREDITS);
    await expectIntact();
  },
  START_MS,
);

test(
  'a stop answers the calls under way',
  async () => {
    const all = (await customerOfEach()).map((customer) => Traffic.start(customer));
    await waitFor('calls are answered', () => all.every(({ served }) => served.length > 100));
    expect(await service.process.stop()).toBe(0);
    await Promise.all(all.map((traffic) => traffic.stop()));
    await service.restart();
    for (const traffic of all) await traffic.expectExact(service, CREDITS);
  },
  START_MS,
);
