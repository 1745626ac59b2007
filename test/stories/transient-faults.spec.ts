import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { EmbeddedPostgres } from '#embedded-postgres/embedded-postgres.js';
import { importDemoRelease } from '../setup/demo-release.js';
import { quickest } from '../setup/quickest.js';
import type { Answer, Customer } from '../setup/service.js';
import { SplitService } from '../setup/split-service.js';
import { waitFor } from '../setup/wait-for.js';

const PATH = '/v1/latest/cat1/trends/top5/popindex/us/beauty';

let folder: string;
let postgres: EmbeddedPostgres;
let service: SplitService;
let customer: Customer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-transient-'));
  postgres = await EmbeddedPostgres.start({ dataDir: path.join(folder, 'data') });
  await importDemoRelease(postgres.url, folder);
  service = await SplitService.start(postgres.url);
  customer = await service.customer(1_000_000);
}, 180_000);

afterAll(async () => {
  await service.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Sets the whole server, which its sessions apply at once. */
async function set(setting: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('set default_transaction_read_only = off');
  await client.query(`alter system ${setting}`);
  await client.query('select pg_reload_conf()');
  await client.end();
}

async function readiness(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, text: await response.text() };
}

async function expectAllReady(): Promise<void> {
  for (const process of [service.accounting, service.api]) {
    await waitFor('it is ready', () => process.isReady());
  }
}

async function projectionStates(): Promise<unknown[]> {
  const { body } = await service.admin('/projections');
  return (body.items as { status: string }[]).map(({ status }) => status);
}

/** A setting that was taken back reaches sessions a moment later. */
function charged(): Promise<void> {
  return waitFor('a call is charged', async () => (await customer.get(PATH)).status === 200);
}

test('while the database takes no writes calls are refused at once, and all goes on by itself', async () => {
  expect((await customer.get(PATH)).status).toBe(200);
  await set('set default_transaction_read_only = on');
  const reloaded = async (): Promise<boolean> => (await customer.get(PATH)).status !== 200;
  await waitFor('the server takes no writes', reloaded);
  const tookMs = await quickest(2_000, async () => {
    const startedAt = performance.now();
    const refused = await customer.get(PATH);
    expect([refused.status, refused.body.code]).toEqual([503, 'accounting-unavailable']);
    return performance.now() - startedAt;
  });
  expect(tookMs).toBeLessThan(2_000);
  for (const url of [service.adminUrl, service.apiUrl]) {
    await waitFor(`${url} says so`, async () => {
      const { status, text } = await readiness(url);
      return status === 503 && text.includes('takes no writes');
    });
  }
  // Projections meet it too, with nothing to do but to look for events.
  await waitFor('a projection waits', async () =>
    (await projectionStates()).includes('waiting-for-database'),
  );
  await set('reset default_transaction_read_only');
  await expectAllReady();
  await charged();
  await waitFor('all projections run', async () =>
    (await projectionStates()).every((state) => state === 'running'),
  );
}, 90_000);

test('sessions that the server ends for their silence cost no projection and no restart', async () => {
  await set(`set idle_in_transaction_session_timeout = '1ms'`);
  const answers: Answer[] = [];
  for (let count = 0; count < 40; count++) answers.push(await customer.get(PATH));
  const fresh = await service.customer(1_000).catch(() => null);
  if (fresh !== null) answers.push(await fresh.get(PATH));
  expect(new Set(answers.map(({ status }) => status))).not.toContain(500);
  await set('reset idle_in_transaction_session_timeout');
  await expectAllReady();
  await charged();
  expect(await projectionStates()).not.toContain('failed');
}, 90_000);
