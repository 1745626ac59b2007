import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EmbeddedPostgres } from '#embedded-postgres/embedded-postgres.js';
import { importDemoRelease } from '../setup/demo-release.js';
import { freePort } from '../setup/free-port.js';
import { ask, type Customer } from '../setup/service.js';
import { SplitService } from '../setup/split-service.js';
import { waitFor } from '../setup/wait-for.js';

const PATH = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const OTHER = '/v1/latest/cat1/trends/top5/popindex/gb/beauty';
const ADDRESS = { line1: 'Ring 1', city: 'Wien', postcode: '1010', country: 'AT' };
const SELLER = { name: 'Index', address: ADDRESS, vat_id: 'ATU12345675', email: 'a@index.example' };
const PLAN = {
  monthly_fee: 4_900,
  included_credits: 1_000,
  price_per_1000_credits: 1_250,
  tax: { category: 'S', rate_percent: 19 },
};

let folder: string;
let port: number;
let postgres: EmbeddedPostgres;
let service: SplitService;

const data = (): string => path.join(folder, 'data');
const copy = (): string => path.join(folder, 'copy');

async function startPostgres(): Promise<void> {
  postgres = await EmbeddedPostgres.start({ dataDir: data(), port });
}

/** Puts an older copy of the folder in its place, as an operator would. */
async function putBack(): Promise<void> {
  await postgres.stop();
  await rm(data(), { recursive: true });
  await cp(copy(), data(), { recursive: true });
  await startPostgres();
  await ready();
}

async function copyFolder(): Promise<void> {
  await postgres.stop();
  await rm(copy(), { recursive: true, force: true });
  await cp(data(), copy(), { recursive: true });
  await startPostgres();
  await ready();
}

function ready(): Promise<void> {
  return waitFor(
    'both processes are ready',
    async () => (await service.api.isReady()) && service.accounting.isReady(),
    30_000,
  );
}

async function balance({ accountId }: Customer): Promise<number> {
  return Number((await service.admin(`/accounts/${accountId}`)).body.balance);
}

async function warnings(): Promise<readonly string[]> {
  const { status, body } = await ask(`${service.adminUrl}/readyz`, '');
  expect(status).toBe(200);
  return body.warnings as string[];
}

async function expectSound(): Promise<void> {
  expect((await service.admin('/verify', {})).status).toBe(202);
  await waitFor(
    'the verification',
    async () => (await service.admin('/verify')).body.status !== 'running',
    60_000,
  );
  const { body } = await service.admin('/verify');
  const checks = (body.checks ?? []) as { readonly intact?: boolean }[];
  expect([body.error, checks.filter(({ intact }) => intact === false)]).toEqual([null, []]);
  expect(body.intact).toBe(true);
}

async function served(customer: Customer, address: string): Promise<string | null> {
  let credits: string | null = null;
  // Connections to the server that went away are found dead one by one.
  await waitFor(
    'a call is answered',
    async () => {
      const answer = await customer.get(address);
      credits = answer.headers.get('credits-used');
      return answer.status === 200;
    },
    20_000,
  );
  return credits;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-older-'));
  port = await freePort();
  await startPostgres();
  await importDemoRelease(postgres.url, folder);
  service = await SplitService.start(postgres.url);
}, 180_000);

afterAll(async () => {
  await service.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

it('goes on from what an older copy of the accounts says, and warns until somebody looked', async () => {
  const customer = await service.customer(1_000_000);
  const neighbour = await service.customer(1_000_000);
  expect(await served(customer, PATH)).toBe('35');
  await copyFolder();
  expect(await served(customer, PATH)).toBe('10');
  expect(await served(customer, OTHER)).toBe('35');
  expect(await served(neighbour, PATH)).toBe('35');
  expect(await warnings()).toEqual([]);
  await putBack();
  expect(await served(customer, OTHER)).toBe('35');
  expect(await served(neighbour, PATH)).toBe('35');
  expect([await balance(customer), await balance(neighbour)]).toEqual([999_930, 999_965]);
  await waitFor('the warning', async () => (await warnings()).length > 0);
  expect((await warnings()).join()).toMatch(/lost positions.*lane \d+: [\d,]+ to [\d,]+/);
  expect(service.accounting.output).toContain('The database came back older.');
  const metrics = await ask(`${service.adminUrl}/metrics`, '');
  expect(metrics.text).toMatch(/popindex_log_positions_lost_total [1-9]/);
  const reason = 'A copy was put back.';
  expect((await service.admin('/log/acknowledge', { reason })).status).toBe(200);
  expect(await warnings()).toEqual([]);
  await expectSound();
}, 180_000);

it('numbers nothing after positions of lane 0 were lost, until somebody acknowledges it', async () => {
  expect((await service.admin('/seller', SELLER, 'PUT')).status).toBe(200);
  const terms = { plan: PLAN, currency: 'EUR', test_clock: '2026-11-30T12:00:00Z' };
  const customer = await service.customer(0, terms);
  const invoices = async (): Promise<number> => {
    const { body } = await service.admin(`/invoices?account_id=${customer.accountId}`);
    return (body.items as unknown[]).length;
  };
  expect(await served(customer, PATH)).toBe('35');
  await copyFolder();
  await service.moveClock(customer.accountId, '2026-12-01T00:00:00Z');
  await waitFor('the invoice', async () => (await invoices()) === 1, 60_000);
  await putBack();
  await waitFor('the warning', async () => (await warnings()).join().includes('lane 0'), 30_000);
  await service.moveClock(customer.accountId, '2026-12-01T00:00:00Z');
  await service.accounting.stop();
  await service.restartAccounting();
  const run = await service.admin('/invoice-runs', {
    month: '2026-11',
    account_id: customer.accountId,
  });
  expect([run.status < 300, await invoices()]).toEqual([true, 0]);
  expect((await warnings()).join()).toContain('No document is numbered');
  const reason = 'TEST-INV-000001 was sent to the same customer.';
  const acknowledged = await service.admin('/log/acknowledge', { reason });
  expect([acknowledged.status, await warnings()]).toEqual([200, []]);
  await waitFor('the number', async () => (await invoices()) === 1, 90_000);
  await expectSound();
}, 300_000);
