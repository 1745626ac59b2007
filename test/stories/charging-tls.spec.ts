import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { importDemoRelease } from '../setup/demo-release.js';
import { quickest } from '../setup/quickest.js';
import type { ServiceProcess } from '../setup/service-process.js';
import { SplitService } from '../setup/split-service.js';
import { TestAuthority, type Credentials } from '../setup/test-authority.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { waitFor } from '../setup/wait-for.js';

const TRENDS = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const UNSET = { CHARGING_TLS_CERT: '', CHARGING_TLS_KEY: '', CHARGING_TLS_CA: '' };

let folder: string;
let database: TestDatabase;
let service: SplitService;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-tls-'));
  database = await createTestDatabase();
  await importDemoRelease(database.url, folder);
  const settings = await settingsOf('good', await (await TestAuthority.make()).issue());
  service = await SplitService.start(database.url, { ...settings, LOG_LEVEL: 'warn' });
}, 180_000);

afterAll(async () => {
  await service.stop();
  await database.drop();
  await rm(folder, { recursive: true });
}, 60_000);

/** The files that an operator would make. */
async function settingsOf(name: string, { cert, key, ca }: Credentials) {
  const fileOf = (kind: string) => path.join(folder, `${name}-${kind}.pem`);
  await Promise.all([
    writeFile(fileOf('cert'), cert),
    writeFile(fileOf('key'), key, { mode: 0o600 }),
    writeFile(fileOf('ca'), ca),
  ]);
  return {
    CHARGING_TLS_CERT: fileOf('cert'),
    CHARGING_TLS_KEY: fileOf('key'),
    CHARGING_TLS_CA: fileOf('ca'),
  };
}

/** Replaces the API process by one with these settings, which must never get through. */
async function refusedApi(settings: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  await service.api.stop();
  const api = service.spawnApi(settings);
  await api.printed(' is away: ');
  await waitFor('it listens', async () => (await fetch(`${service.apiUrl}/healthz`)).ok, 60_000);
  return api;
}

test('an API process without the certificate, or with a foreign one, charges nothing and answers 503', async () => {
  const customer = await service.customer(100_000);
  expect((await customer.get(TRENDS)).status).toBe(200);

  await (await refusedApi(UNSET)).printed('it may speak TLS');
  const tookMs = await quickest(3_000, async () => {
    const began = performance.now();
    expect((await customer.get(TRENDS)).status).toBe(503);
    return performance.now() - began;
  });
  expect(tookMs).toBeLessThan(3_000);
  await service.accounting.printed('it does not speak TLS, and this process does');

  const foreign = await (await TestAuthority.make('CN=another')).issue();
  const { CHARGING_TLS_CA: _, ...shown } = await settingsOf('foreign', foreign);
  await (await refusedApi(shown)).printed('does not take the certificate of this process');
  expect((await customer.get(TRENDS)).status).toBe(503);
  await service.accounting.printed('its certificate is of no CA in CHARGING_TLS_CA');

  await service.api.stop();
  await service.restartApi();
  const answer = await customer.get(TRENDS);
  expect([answer.status, answer.body.credits_used]).toEqual([200, 10]);
}, 180_000);
