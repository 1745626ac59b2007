import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { DataFolder } from '../setup/data-folder.js';
import { secretsIn } from '../setup/secrets-in.js';
import { ask, type Customer } from '../setup/service.js';
import { StartedService } from '../setup/started-service.js';
import { Traffic } from '../setup/traffic.js';
import { waitFor } from '../setup/wait-for.js';

const STOPPED_MS_MAX = 15_000;
const RESTARTED_MS_MAX = 45_000;
const PLENTY = 10_000_000;
const UNLIMITED = { rate_limit: { per_second: 100_000, burst: 100_000 } };

let data: DataFolder;
let service: StartedService;
let customer: Customer;

beforeAll(async () => {
  data = await DataFolder.make();
  service = await StartedService.start(data);
}, 120_000);

afterAll(async () => {
  await service.program.stop('SIGKILL');
  await data.remove();
});

/** Status line, headers and body as curl prints them; where there is no curl, the same request. */
async function runCurl(line: string): Promise<string> {
  try {
    return (await promisify(execFile)('sh', ['-c', line])).stdout;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 127) throw error;
  }
  const [url = ''] = /\S+$/.exec(line) ?? [];
  const { status, headers, text } = await ask(url, demoKey());
  const fields = [...headers].map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status}`, ...fields, '', text].join('\r\n');
}

async function creditsOf(line: string): Promise<unknown> {
  const answer = await runCurl(line);
  expect(answer).toMatch(/^HTTP\/1\.1 200/);
  const { credits_used } = JSON.parse(answer.split('\r\n').at(-1) ?? '') as Record<string, unknown>;
  return credits_used;
}

const demoKey = (): string => data.text('demo-api-key');

/** All that an account has: what it is, every event of its log as stored, its calls. */
async function everything(apiKey: string): Promise<Record<string, unknown>> {
  const account = (await ask(`${service.apiUrl}/v1/account`, apiKey)).body;
  const calls = await ask(`${service.apiUrl}/v1/account/calls?limit=1000`, apiKey);
  const events = await service.admin(`/accounts/${String(account.id)}/events?limit=1000`);
  expect([calls.status, events.status]).toEqual([200, 200]);
  return { balance: account.balance, calls: calls.body.items, events: events.body.items };
}

/** The same account after a restart, which may have given the service another address. */
function again({ accountId, apiKey }: Customer): Customer {
  return service.customerWith(accountId, apiKey);
}

describe('the first start', () => {
  it('prints addresses that answer, and the file of an admin token that opens', async () => {
    const health = await fetch(`${service.apiUrl}/healthz`);
    const docs = await fetch(`${service.apiUrl}/docs`);
    expect([health.status, docs.status]).toEqual([200, 200]);
    const { stdout } = service.program;
    expect(stdout).toContain(`Admin token  in ${path.join(data.path, 'admin-token')}\n`);
    expect(secretsIn(stdout, [data.text('admin-token'), demoKey()])).toEqual([]);
    expect((await service.admin('/accounts')).status).toBe(200);
    expect((await ask(`${service.adminUrl}/admin/v1/accounts`, 'x'.repeat(43))).status).toBe(401);
  });

  it('has a demo account that has called in the running week, but none of what one tries', async () => {
    const { body } = await ask(`${service.apiUrl}/v1/account/windows`, demoKey());
    const paths = (body.items as { key: string }[]).map(({ key }) => key.replace(/w\d\d/, 'w'));
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((key) => key.endsWith('/trends/all/popindex/us/skincare'))).toEqual([]);
  });

  it('prints a curl line that works as it stands: 35 the first time, then 10', async () => {
    expect(await creditsOf(service.curlLine)).toBe(35);
    expect(await creditsOf(service.curlLine)).toBe(10);
  });

  it('keeps what it generated for its owner alone', () => {
    for (const name of [
      'admin-token',
      'demo-api-key',
      'postgres-password',
      'postgres.json',
      'webhook-key',
    ]) {
      expect([name, statSync(path.join(data.path, name)).mode & 0o777]).toEqual([name, 0o600]);
    }
  });
});

describe('SIGTERM', () => {
  it('answers the calls in flight, charges nothing else, and ends all within 15 s', async () => {
    const { adminToken, program } = service;
    const apiKey = demoKey();
    customer = await service.customer(PLENTY, UNLIMITED);
    const traffic = Traffic.start(customer);
    await waitFor('calls are answered', () => traffic.served.length > 50);
    const begun = performance.now();
    expect(await program.stop('SIGTERM')).toBe(0);
    expect(performance.now() - begun).toBeLessThan(STOPPED_MS_MAX);
    expect(data.postmaster).toBeUndefined();
    await traffic.stop();

    service = await StartedService.start(data);
    expect([service.adminToken, demoKey()]).toEqual([adminToken, apiKey]);
    const { ids, balance } = await traffic.logged(service);
    expect(ids.toSorted()).toEqual(traffic.served.map(({ id }) => id).toSorted());
    expect(balance).toBe(PLENTY - traffic.credits);
  }, 60_000);
});

test('a closed terminal ends the service, and its database with it', async () => {
  expect(await service.program.hangUp()).toBe(0);
  expect(data.postmaster).toBeUndefined();
  service = await StartedService.start(data);
}, 60_000);

describe('a later start', () => {
  it('has the same token, key, balance and log as before Ctrl-C', async () => {
    const { adminToken } = service;
    const key = demoKey();
    const demo = await everything(key);
    expect(await service.program.interrupt()).toBe(0);
    expect(data.postmaster).toBeUndefined();

    service = await StartedService.start(data);
    expect(service.adminToken).toBe(adminToken);
    expect(demoKey()).toBe(key);
    expect(await everything(key)).toEqual(demo);
    expect(await creditsOf(service.curlLine)).toBe(10);
  }, 60_000);

  it('recovers by itself from kill -9 of Node under load, and loses nothing', async () => {
    const key = demoKey();
    const demo = await everything(key);
    const traffic = Traffic.start(again(customer));
    await waitFor('calls are answered', () => traffic.served.length > 50);
    await service.program.stop('SIGKILL');
    const orphan = data.postmaster;
    expect(orphan).toBeDefined();
    await traffic.stop();

    service = await StartedService.start(data);
    expect(data.postmaster).not.toBe(orphan);
    expect(await everything(key)).toEqual(demo);
    const { ids } = await traffic.logged(service);
    expect(ids).toEqual(expect.arrayContaining(traffic.served.map(({ id }) => id)));
    expect(new Set(ids).size).toBe(ids.length);
  }, 60_000);

  it('recovers from kill -9 of Node and of the database, and shows no secret to a network', async () => {
    const { adminToken } = service;
    const apiKey = demoKey();
    const before = await everything(apiKey);
    const { postmaster = 0 } = data;
    await service.program.stop('SIGKILL');
    process.kill(postmaster, 'SIGKILL');

    const open = { HOST: '0.0.0.0', LOG_LEVEL: 'debug' };
    service = await StartedService.start(data, open);
    expect(await everything(apiKey)).toEqual(before);
    const { stdout, stderr } = service.program;
    for (const secret of [adminToken, apiKey, data.text('postgres-password')]) {
      expect(stdout + stderr).not.toContain(secret);
    }
  }, 60_000);
});

describe('kill -9 of the database under the living service', () => {
  it('is 503 until it is back within 45 s, and every answered call is charged once', async () => {
    const caller = await service.customer(PLENTY, UNLIMITED);
    const { postmaster = 0 } = data;
    const traffic = Traffic.start(caller);
    await waitFor('calls are answered', () => traffic.served.length > 50);
    process.kill(postmaster, 'SIGKILL');
    const killed = performance.now();
    await waitFor('calls are refused', () => traffic.refused.length > 0);
    const before = traffic.served.length;
    await waitFor('calls are served again', () => traffic.served.length > before + 50, 60_000);
    expect(performance.now() - killed).toBeLessThan(RESTARTED_MS_MAX);
    await traffic.stop();

    expect(data.postmaster).not.toBe(postmaster);
    expect(traffic.lost).toBe(0);
    const problems = new Set(traffic.refused.map(({ status, code }) => `${status} ${code}`));
    expect(problems).toContain('503 accounting-unavailable');
    problems.delete('504 outcome-unknown');
    expect([...problems]).toEqual(['503 accounting-unavailable']);
    await traffic.expectExact(service, PLENTY);
  }, 120_000);
});
