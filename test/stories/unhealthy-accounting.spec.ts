import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { importDemoRelease } from '../setup/demo-release.js';
import { ServiceFleet, type BreakableAccounting } from '../setup/service-fleet.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { Traffic } from '../setup/traffic.js';
import { waitFor } from '../setup/wait-for.js';

const CREDITS = 100_000_000;
const CUSTOMERS = 6;
const CUSTOMERS_MAX = 24;
/** Between an answer and the next call: the machine is to have time for everything else. */
const PAUSE_MS = 25;
/** Time that the service has to notice; it is then watched for as long. */
const NOTICE_MS = 2_000;
const WATCHED_MS = 3_000;

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

const ILLNESSES: [string, (process: BreakableAccounting, isIll: boolean) => Promise<void>][] = [
  [
    'loses its database',
    async ({ database: proxy }, isIll) => proxy.setMode(isIll ? 'refuse' : 'pass'),
  ],
  ['has a clock that is 10 s ahead', ({ shiftClock }, isIll) => shiftClock(isIll ? 10_000 : 0)],
];

describe.each(ILLNESSES)('an accounting process that %s', (_what, make) => {
  it('costs no customer an answer after 2 s, and gets its lanes back when it is well', async () => {
    const { all, answered } = await startTraffic();
    const process = ill();
    await waitFor('it charges', async () => (await chargesOf(process)) > 0);
    await make(process, true);
    await pause(NOTICE_MS);
    const [servedBefore, refusedBefore] = answered();
    const chargesBefore = await chargesOf(process);
    await pause(WATCHED_MS);
    const [served, refused] = answered();
    const ok = served - servedBefore;
    const share = ok / (ok + refused - refusedBefore);
    expect({ share, isEnough: share >= 0.99, ok: ok > 50 }).toMatchObject({
      isEnough: true,
      ok: true,
    });
    expect(await chargesOf(process)).toBe(chargesBefore);
    await make(process, false);
    await waitFor('it is ready', () => process.process.isReady(), 20_000);
    await waitFor(
      'it charges again',
      async () => (await chargesOf(process)) > chargesBefore,
      20_000,
    );
    for (const traffic of all) await traffic.stop();
    const [client] = fleet.clients;
    if (client !== undefined) for (const one of all) await one.expectExact(client, CREDITS);
  }, 120_000);
});
