import { freePort } from '../setup/free-port.js';
import { ServiceProcess } from '../setup/service-process.js';
import { ADMIN_TOKEN, ServiceClient } from '../setup/service.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

const CHARGING_SECRET = 'a-charging-secret-of-the-tests-0123456789';
const REQUESTS = 200;

let database: TestDatabase;
const processes: ServiceProcess[] = [];
const clients: ServiceClient[] = [];

/** Two accounting processes on one database. */
beforeAll(async () => {
  database = await createTestDatabase();
  for (let one = 0; one < 2; one++) {
    const adminPort = await freePort();
    const adminUrl = `http://127.0.0.1:${adminPort}`;
    const env = {
      DATABASE_URL: database.url,
      CHARGING_SECRET,
      ADMIN_TOKEN,
      ACCOUNTING_PORT: String(adminPort),
      CHARGING_PORT: String(await freePort()),
      PORTAL_PORT: String(await freePort()),
      LOG_LEVEL: 'error',
    };
    processes.push(await ServiceProcess.spawn('accounting', env, adminUrl).ready());
    clients.push(new ServiceClient('', adminUrl));
  }
}, 180_000);

afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  await database.drop();
});

function process(n: number): ServiceClient {
  const client = clients[n];
  if (client === undefined) throw new Error(`There is no process ${n}.`);
  return client;
}

/** Sends the same 200 times at once, half to each process; returns the count of each status. */
async function atOnce(path: string, body: (n: number) => object): Promise<Record<number, number>> {
  const asked = Array.from({ length: REQUESTS }, (_, n) => process(n % 2).admin(path, body(n)));
  const answers = await Promise.all(asked);
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function account(): Promise<string> {
  const { body } = await process(0).admin('/accounts', { name: 'Nadja' });
  return String(body['id']);
}

test('of 200 webhooks that two processes are asked for at once an account gets 20', async () => {
  const id = await account();
  const hook = (n: number) => ({ url: `https://example.com/${n}`, account_id: id });
  expect(await atOnce('/webhooks', hook)).toEqual({ 201: 20, 409: 180 });
  expect(await atOnce('/webhooks', hook)).toEqual({ 409: 200 });
  const other = await account();
  const another = await process(1).admin('/webhooks', { ...hook(1), account_id: other });
  expect(another.status).toBe(201);
}, 120_000);

test('of 200 API keys that two processes are asked for at once an account gets 100', async () => {
  const id = await account();
  const label = (n: number) => ({ label: `key ${n}` });
  expect(await atOnce(`/accounts/${id}/api-keys`, label)).toEqual({ 201: 100, 409: 100 });
}, 120_000);

test('of 200 budgets that two processes are asked for at once an account gets 100', async () => {
  const id = await account();
  const budget = () => ({
    period: 'month',
    limit_credits: 1_000,
    thresholds: [50],
    action: 'block',
  });
  expect(await atOnce(`/accounts/${id}/budgets`, budget)).toEqual({ 201: 100, 409: 100 });
}, 120_000);
