import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { importDemoRelease } from '../setup/demo-release.js';
import { inLong } from '../setup/long.js';
import { ServiceFleet, type BreakableAccounting } from '../setup/service-fleet.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { Traffic } from '../setup/traffic.js';
import { waitFor } from '../setup/wait-for.js';

const CREDITS = 100_000_000;
const CUSTOMERS = 6;
const CUSTOMERS_MAX = 24;
/** Between an answer and the next call: the machine is to have time for everything else. */
const PAUSE_MS = 25;
/** Time that the service has to notice; it is then watched. */
const NOTICE_MS = 2_000;
const WATCHED_MS = 3_000;
const WATCHED_CALLS = 50;
const REFUSED_MAX = 0.01;
/** A busy machine stalls now and then: who does not notice in time does not each time. */
const TRIES = 3;

const UNDER_WAY_MS = 200;
/** Half of what a call waits for a database that it has lost. */
const WAIT_MS_MAX = 3_000;
const LOST_MS = 1.5 * WAIT_MS_MAX;

let database: TestDatabase;
let fleet: ServiceFleet;

beforeAll(async () => {
  database = await createTestDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'popindex-unhealthy-'));
  await importDemoRelease(database.url, folder);
  await rm(folder, { recursive: true });
  fleet = await ServiceFleet.start(database.url);
}, 180_000);

afterAll(async () => {
  await fleet.stop();
  await database.drop();
}, 60_000);

function ill(): BreakableAccounting {
  const [first] = fleet.accountings;
  if (first === undefined) throw new Error('There is no accounting process.');
  return first;
}

/** Calls that an accounting process has charged. */
async function chargesOf({ adminUrl }: BreakableAccounting): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('popindex_charges_total'));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/**
 * Customers of both API processes, whose accounts are spread over the lanes: as many as it takes
 * for the process that falls ill to charge some of them.
 */
async function startTraffic(): Promise<{ all: Traffic[]; answered: () => [number, number] }> {
  const all: Traffic[] = [];
  const isEnough = async (): Promise<boolean> =>
    all.length >= CUSTOMERS && (all.length >= CUSTOMERS_MAX || (await chargesOf(ill())) > 0);
  for (let index = 0; !(await isEnough()); index += 1) {
    const client = fleet.clients[index % fleet.clients.length];
    if (client === undefined) throw new Error('There is no API process.');
    const rate_limit = { per_second: 100_000, burst: 100_000 };
    all.push(Traffic.start(await client.customer(CREDITS, { rate_limit }), PAUSE_MS));
  }
  const answered = (): [number, number] => [
    all.reduce((sum, { served }) => sum + served.length, 0),
    all.reduce((sum, { refused, lost }) => sum + refused.length + lost, 0),
  ];
  return { all, answered };
}

/** The longest time from a moment on in which an account had no answer. */
function longestWaitMs({ served }: Traffic, from: number): number {
  const times = [from, ...served.map(({ at }) => at).filter((at) => at > from), from + LOST_MS];
  return Math.max(...times.map((at, index) => (times[index + 1] ?? at) - at));
}

type Illness = [string, (process: BreakableAccounting, isIll: boolean) => Promise<void>];

const ILLNESSES: Illness[] = [
  [
    'loses its database',
    async ({ database: proxy }, isIll) => proxy.setMode(isIll ? 'refuse' : 'pass'),
  ],
  ...inLong<Illness>([
    'has a clock that is 10 s ahead',
    ({ shiftClock }, isIll) => shiftClock(isIll ? 10_000 : 0),
  ]),
];

describe.each(ILLNESSES)('an accounting process that %s', (_what, make) => {
  /** The share of calls that are refused from 2 s after it fell ill, until it is well again. */
  async function refusedWhileIll(answered: () => [number, number]): Promise<number> {
    const process = ill();
    await make(process, true);
    await pause(NOTICE_MS);
    const [servedBefore, refusedBefore] = answered();
    const chargesBefore = await chargesOf(process);
    await pause(WATCHED_MS);
    await waitFor('calls are answered', () => answered()[0] - servedBefore > WATCHED_CALLS);
    const [served, refused] = answered();
    expect(await chargesOf(process)).toBe(chargesBefore);
    await make(process, false);
    await waitFor('it is ready', () => process.process.isReady());
    await waitFor('it charges again', async () => (await chargesOf(process)) > chargesBefore);
    return (refused - refusedBefore) / (served - servedBefore + refused - refusedBefore);
  }

  it('costs no customer an answer after 2 s, and gets its lanes back when it is well', async () => {
    const { all, answered } = await startTraffic();
    await waitFor('it charges', async () => (await chargesOf(ill())) > 0);
    let share = 1;
    for (let left = TRIES; left > 0 && share > REFUSED_MAX; left -= 1) {
      share = Math.min(share, await refusedWhileIll(answered));
    }
    expect(share).toBeLessThanOrEqual(REFUSED_MAX);
    for (const traffic of all) await traffic.stop();
    const [client] = fleet.clients;
    if (client !== undefined) for (const one of all) await one.expectExact(client, CREDITS);
  }, 240_000);
});

test('calls under way at an accounting process that loses its database are decided by another one', async () => {
  const { all } = await startTraffic();
  const before = await chargesOf(ill());
  await waitFor('it charges', async () => (await chargesOf(ill())) > before);
  // Every call that it is asked meanwhile is under way when its connections are cut.
  ill().database.setMode('silence');
  await pause(UNDER_WAY_MS);
  ill().database.setMode('refuse');
  const lostAt = performance.now();
  await pause(LOST_MS);
  for (const traffic of all) await traffic.stop();
  ill().database.setMode('pass');
  await waitFor('it is ready', () => ill().process.isReady());

  expect(Math.max(...all.map((one) => longestWaitMs(one, lostAt)))).toBeLessThan(WAIT_MS_MAX);
  expect(all.flatMap(({ refused }) => refused)).toEqual([]);
  const [client] = fleet.clients;
  if (client !== undefined) for (const one of all) await one.expectExact(client, CREDITS);
}, 240_000);
