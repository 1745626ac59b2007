import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { freePort } from '../setup/free-port.js';
import { ADMIN_TOKEN, ask, Service, ServiceClient, type Answer } from '../setup/service.js';
import { ServiceProcess } from '../setup/service-process.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { Traffic } from '../setup/traffic.js';
import { waitFor } from '../setup/wait-for.js';

const PLENTY = 10_000_000;
const UNLIMITED = { rate_limit: { per_second: 100_000, burst: 100_000 } };
const PAID = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const UNPAID = '/v1/latest/cat1/trends/top5/popindex/jp/beauty';

let service: Service;
let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  service = await Service.start();
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-backup-story-'));
}, 120_000);

afterAll(async () => {
  await service.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** A command as an operator runs it: its exit code and what it printed. */
async function popindex(url: string, ...args: string[]): Promise<[number | null, string]> {
  const env = { DATABASE_URL: url, DATA_DIR: folder };
  const program = ServiceProcess.spawn('popindex', env, null, args);
  const code = await program.end();
  return [code, program.output];
}

/** A second service, on a database without the demo. */
async function startOn(url: string): Promise<[ServiceProcess, ServiceClient]> {
  const [api, admin, portal] = [await freePort(), await freePort(), await freePort()];
  const apiUrl = `http://127.0.0.1:${api}`;
  const settings = {
    DATABASE_URL: url,
    DATA_DIR: folder,
    ADMIN_TOKEN,
    API_PORT: String(api),
    ACCOUNTING_PORT: String(admin),
    PORTAL_PORT: String(portal),
  };
  const process = await ServiceProcess.spawn('standalone', settings, apiUrl).ready();
  return [process, new ServiceClient(apiUrl, `http://127.0.0.1:${admin}`)];
}

/** A customer's view of the own account at one moment. */
async function seen(apiUrl: string, apiKey: string): Promise<Record<string, unknown>> {
  const account = await ask(`${apiUrl}/v1/account`, apiKey);
  const calls = await ask(`${apiUrl}/v1/account/calls?limit=1000`, apiKey);
  expect([account.status, calls.status]).toEqual([200, 200]);
  const { name, balance, grants } = account.body;
  return { name, balance, grants, calls: calls.body.items };
}

function credits({ status, body, text }: Answer): unknown {
  if (status !== 200) throw new Error(text);
  return body.credits_used;
}

test('a backup taken under traffic is restored elsewhere and charges on from there', async () => {
  const quiet = await service.customer(PLENTY, { name: 'Quiet & Söhne' });
  expect(credits(await quiet.get(PAID))).toBe(35);
  expect(credits(await quiet.get(PAID, { 'idempotency-key': 'one' }))).toBe(10);
  const before = await seen(service.apiUrl, quiet.apiKey);

  const busy = await service.customer(PLENTY, UNLIMITED);
  const traffic = Traffic.start(busy);
  await waitFor('calls are answered', () => traffic.served.length > 20);
  const backup = path.join(folder, 'backup');
  const [taken, written] = await popindex(service.databaseUrl, 'backup', backup, '--json');
  const served = traffic.served.length;
  await waitFor('calls are answered on', () => traffic.served.length > served);
  await traffic.stop();
  expect([taken, written]).toEqual([0, expect.stringContaining('"outcome": "written"')]);
  expect(traffic.refused).toEqual([]);

  expect((await popindex('', 'restore', backup, '--dry-run'))[0]).toBe(0);
  const [restored, report] = await popindex(database.url, 'restore', backup);
  expect([restored, report]).toEqual([0, expect.stringContaining('Restored: ')]);
  const [verified, verdict] = await popindex(database.url, 'verify');
  expect([verified, verdict]).toEqual([
    0,
    expect.stringContaining('all that is made from it belong together'),
  ]);
  const [again, refusal] = await popindex(database.url, 'restore', backup);
  expect([again, refusal]).toEqual([1, expect.stringContaining('The database is not empty')]);

  const [process, client] = await startOn(database.url);
  try {
    expect(await seen(client.apiUrl, quiet.apiKey)).toEqual(before);
    const get = (url: string, headers?: Readonly<Record<string, string>>) =>
      ask(`${client.apiUrl}${url}`, quiet.apiKey, { headers });
    const replay = await get(PAID, { 'idempotency-key': 'one' });
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(credits(await get(PAID))).toBe(10);
    expect(credits(await get(UNPAID))).toBe(35);
    expect(await seen(client.apiUrl, quiet.apiKey)).toMatchObject({
      balance: Number(before.balance) - 45,
    });

    // Of the busy one the backup holds the first calls, all of them up to some moment.
    const { ids, balance } = await traffic.logged(client);
    const all = (await traffic.logged(service)).ids;
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.length).toBeLessThan(all.length);
    expect(ids).toEqual(all.slice(0, ids.length));
    expect(balance).toBeLessThan(PLENTY);
  } finally {
    await process.stop();
  }
}, 120_000);

test('a database on which the service has only started takes a backup, once the service is stopped', async () => {
  const own = await createTestDatabase();
  const backup = path.join(folder, 'backup');
  const [process] = await startOn(own.url);
  expect(await popindex(own.url, 'restore', backup)).toEqual([
    1,
    expect.stringContaining('The service uses this database'),
  ]);
  await process.stop();
  expect(await popindex(own.url, 'restore', backup)).toEqual([
    0,
    expect.stringContaining('Restored: '),
  ]);
  expect((await popindex(own.url, 'verify'))[0]).toBe(0);
  await own.drop();
}, 120_000);

/** A backup that an earlier version took: its invoice names a tree of its calls. */
async function unpackEarlierBackup(): Promise<string> {
  const packed = await readFile(path.resolve('test/setup/earlier-backup.json.gz'));
  const files = JSON.parse(gunzipSync(packed).toString()) as Record<string, string>;
  const backup = path.join(folder, 'earlier');
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(backup, name)), { recursive: true });
    await writeFile(path.join(backup, name), Buffer.from(content, 'base64'));
  }
  return backup;
}

test('the backup of an earlier version is restored, and holds, with its invoice', async () => {
  const own = await createTestDatabase();
  const backup = await unpackEarlierBackup();
  expect(await popindex(own.url, 'restore', backup)).toEqual([0, expect.any(String)]);
  expect(await popindex(own.url, 'verify')).toEqual([
    0,
    expect.stringContaining('belong together'),
  ]);
  const number = 'TEST-INV-000001';
  const [code, report] = await popindex(own.url, 'verify', '--invoice', number);
  expect([code, report]).toEqual([0, expect.stringContaining(`${number} is what the log says`)]);
  await own.drop();
});
