import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { laneOf } from '#event-log/event-log.js';
import { Receiver } from '#deliveries/receiver.suite.js';
import { importDemoRelease } from '../setup/demo-release.js';
import { leavingServer, type LeavingServer } from '../setup/leaving-server.js';
import { BUYER, type Customer } from '../setup/service.js';
import { SplitService } from '../setup/split-service.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { Traffic } from '../setup/traffic.js';
import { waitFor } from '../setup/wait-for.js';

const CREDITS = 10_000_000;
const RATE = { rate_limit: { per_second: 10_000, burst: 10_000 } };
const PAUSE_MS = 5;
const SERVED = 50;
const PATIENCE_MS = 60_000;
/** Beginning of the names of the service's connections; that of the database has no space. */
const PROCESSES = 'popindex ';
const TREND = '/v1/latest/cat1/trends/top5/popindex/us/beauty';

let folder: string;
let database: TestDatabase;
let server: LeavingServer;
let receiver: Receiver;
let service: SplitService;
/** Each for a thing that was opened, also where a later one could not be. */
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  closers.push(() => database.drop());
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-partial-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  server = await leavingServer(database);
  closers.push(() => server.end());
  receiver = await Receiver.start();
  closers.push(() => receiver.close());
  await importDemoRelease(database.url, folder);
  service = await SplitService.start(server.url, { WEBHOOK_ALLOW_PRIVATE: 'true' });
  closers.push(() => service.stop());
}, 240_000);

afterEach(() => server.comeBack());

afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

/** One whose lane lies on the server that leaves, and one whose lane does not. */
async function customers(
  account: Readonly<Record<string, unknown>> = RATE,
  billing: object | null = null,
): Promise<readonly [behind: Customer, beside: Customer]> {
  const found = new Map<boolean, Customer>();
  while (found.size < 2) {
    const customer = await service.customer(CREDITS, account, billing);
    found.set(server.lanes.includes(laneOf(customer.accountId)), customer);
  }
  return [found.get(true), found.get(false)] as [Customer, Customer];
}

/**
 * Both processes are ready, with warnings that begin so, and the one that decides with others
 * after them.
 */
async function warns(
  ofBoth: readonly string[],
  ofAccounting: readonly string[] = [],
): Promise<void> {
  const expected = [
    [service.adminUrl, [...ofBoth, ...ofAccounting]],
    [service.apiUrl, ofBoth],
  ] as const;
  for (const [url, beginnings] of expected) {
    await waitFor(
      `${url} warns of ${beginnings.join(' ')}`,
      async () => {
        const response = await fetch(`${url}/readyz`);
        const { warnings } = (await response.json()) as { warnings: readonly string[] };
        const isSo = warnings.every((warning, at) => warning.startsWith(beginnings[at] ?? '-'));
        return response.status === 200 && warnings.length === beginnings.length && isSo;
      },
      PATIENCE_MS,
    );
  }
}

async function moreAreServed(traffic: Traffic): Promise<void> {
  const before = traffic.served.length;
  await waitFor('calls are served', () => traffic.served.length > before + SERVED, PATIENCE_MS);
}

const LEAVES = [
  ['is away', 'refuse'],
  ['says nothing', 'silence'],
] as const;

test.each(LEAVES)(
  'while one server of a cluster %s its accounts are refused, and all others served',
  async (_how, mode) => {
    // Where all is one server, calls that hang take the connections of all others.
    if (mode === 'silence' && !server.isReal) return;
    const [behind, beside] = (await customers()).map((each) => Traffic.start(each, PAUSE_MS)) as [
      Traffic,
      Traffic,
    ];
    await Promise.all([moreAreServed(behind), moreAreServed(beside)]);
    await warns([]);

    await server.leave(mode);
    const isRefused = () => behind.refused.some(({ code }) => code === 'accounting-unavailable');
    await waitFor('calls are refused', isRefused, PATIENCE_MS);
    await moreAreServed(beside);
    await warns([`Lanes ${server.lanes.join(', ')} do not answer (`]);

    await server.comeBack();
    await Promise.all([moreAreServed(behind), moreAreServed(beside)]);
    await warns([]);
    await Promise.all([behind.stop(), beside.stop()]);
    expect(beside.refused).toEqual([]);
    await behind.expectExact(service, CREDITS);
    await beside.expectExact(service, CREDITS);
  },
  240_000,
);

test.each(LEAVES)(
  'while the processes alone cannot reach one server of a cluster, which %s to them, its calls go on through the coordinator, and a warning says so',
  async (_how, mode) => {
    if (!server.isReal) return;
    const [behind, beside] = (await customers()).map((each) => Traffic.start(each, PAUSE_MS)) as [
      Traffic,
      Traffic,
    ];
    await Promise.all([moreAreServed(behind), moreAreServed(beside)]);
    await warns([]);

    await server.leave(mode, PROCESSES);
    await warns([], ['Calls are written to 127.0.0.1:']);
    await Promise.all([moreAreServed(behind), moreAreServed(beside)]);
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    expect(metrics).toContain(`\npopindex_lanes_indirect ${server.lanes.length}\n`);
    expect(metrics).toContain('\npopindex_lanes_away 0\n');

    await server.comeBack();
    await warns([]);
    await Promise.all([moreAreServed(behind), moreAreServed(beside)]);
    await Promise.all([behind.stop(), beside.stop()]);
    expect(beside.refused).toEqual([]);
    await behind.expectExact(service, CREDITS);
    await beside.expectExact(service, CREDITS);
  },
  240_000,
);

const SELLER = {
  name: 'Index GmbH',
  address: { line1: 'Ring 1', city: 'Wien', postcode: '1010', country: 'AT' },
  vat_id: 'ATU12345675',
  registration_id: 'FN 123456a',
  email: 'billing@index.example',
};
const INVOICED = { ...BUYER, tax: { category: 'O', rate_percent: 0 } };

/** Answers the number of its invoice. */
async function buy({ accountId }: Customer): Promise<unknown> {
  const grant = { credits: 1_000, kind: 'purchased', price: 12_500 };
  const { status, body, text } = await service.admin(`/accounts/${accountId}/grants`, grant);
  if (status !== 201) throw new Error(text);
  return body['invoice_number'];
}

/** Grants credits that expire before anybody uses them. */
async function expiring({ accountId }: Customer): Promise<void> {
  const expires_at = new Date(Date.now() + 10_000).toISOString();
  const grant = { credits: 7, kind: 'promotional', expires_at };
  const { status, text } = await service.admin(`/accounts/${accountId}/grants`, grant);
  if (status !== 201) throw new Error(text);
}

function heard({ accountId }: Customer, type: string): boolean {
  return receiver.received.some(({ body }) => body.includes(accountId) && body.includes(type));
}

test.each(LEAVES)(
  'while one server %s, what is done in the background goes on for the accounts of all others',
  async (_how, mode) => {
    if (mode === 'silence' && !server.isReal) return;
    await service.admin('/seller', SELLER, 'PUT');
    expect((await service.admin('/webhooks', { url: receiver.url() })).status).toBe(201);
    const [behind, beside] = await customers({ currency: 'EUR' }, INVOICED);
    await buy(beside);
    await server.leave(mode);

    await expiring(beside);
    await waitFor('credits expire', () => heard(beside, 'grant.expired'), PATIENCE_MS);
    const numbers = [await buy(beside), await buy(beside)];
    expect(numbers).toEqual([expect.stringMatching(/^INV-/), expect.stringMatching(/^INV-/)]);
    expect(new Set(numbers).size).toBe(2);

    await service.accounting.stop();
    await service.restartAccounting();
    await expiring(beside);
    // The API finds the new process by itself.
    await waitFor('calls go on', async () => (await beside.get(TREND)).status === 200, PATIENCE_MS);
    expect((await behind.get(TREND)).status).toBe(503);
    // What is about all accounts is refused, not shorter.
    const wholes = ['/accounts', '/exports/credit-liability?month=2026-10', '/summary'];
    for (const whole of wholes) expect((await service.admin(whole)).status).toBe(503);

    await server.comeBack();
    await waitFor('it is back', async () => (await behind.get(TREND)).status === 200, PATIENCE_MS);
    expect((await service.admin('/accounts')).status).toBe(200);
  },
  240_000,
);
