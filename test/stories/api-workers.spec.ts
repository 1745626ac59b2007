import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { ask, Service, type Customer } from '../setup/service.js';
import { Traffic } from '../setup/traffic.js';
import { waitFor } from '../setup/wait-for.js';

const CREDITS = 1_000_000;
const PATH = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const WORKERS = 2;
const START_MS = 200_000;

const service = Service.ofFile({ API_WORKERS: String(WORKERS) });

/** Process ids of the workers of a service. */
async function workers(): Promise<readonly number[]> {
  const { pid = 0 } = service.process.child;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

async function ready() {
  const answer = await fetch(`${service.apiUrl}/readyz`);
  const body = (await answer.json()) as { parts: { api_workers: { detail?: string } } };
  return { status: answer.status, workers: body.parts.api_workers };
}

/** One request on a connection of its own, so that workers take turns. */
async function alone(customer: Customer, target = PATH): Promise<number> {
  const headers = { authorization: `Bearer ${customer.apiKey}` };
  const request = http.get(`${service.apiUrl}${target}`, { agent: false, headers });
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode ?? 0;
}

async function metric(name: string, url = service.apiUrl): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(name));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

test('a limit holds over all workers to the request', async () => {
  const burst = 7;
  const customer = await service.customer(CREDITS, { rate_limit: { per_second: 1, burst } });
  const from = performance.now();
  const statuses = await Promise.all(Array.from({ length: 40 }, () => alone(customer)));
  const refilled = Math.floor((performance.now() - from) / 1_000);
  const admitted = statuses.filter((status) => status === 200).length;
  expect(admitted).toBeGreaterThanOrEqual(burst);
  expect(admitted).toBeLessThanOrEqual(burst + refilled);
  expect(statuses.filter((status) => status === 429)).toHaveLength(40 - admitted);
});

test('refused calls are listed as one count over all workers, for the key and for operators', async () => {
  const customer = await service.customer(1);
  for (let call = 0; call < 20; call += 1) expect(await alone(customer)).toBe(402);
  const listed = async () =>
    (await ask(`${service.apiUrl}/v1/account/refusals`, customer.apiKey)).body;
  const item = { times: 20, path: PATH, code: 'out-of-credits', required_credits: 35 };
  const times = async () => (await listed())['items'] as { times: number }[];
  await waitFor('all are written', async () => (await times())[0]?.times === 20);
  expect(await listed()).toMatchObject({ items: [item], next: null });
  const { body } = await service.admin('/refused-calls');
  expect(body['items']).toContainEqual(expect.objectContaining(item));
});

test('metrics of any worker are those of all', async () => {
  const customer = await service.customer(CREDITS);
  const name = 'popindex_calls_total{resource="trends",status="200"';
  const before = await metric(name);
  for (let call = 0; call < 10; call += 1) expect(await alone(customer)).toBe(200);
  await waitFor('all calls are counted', async () => (await metric(name)) === before + 10);
  expect(await metric('popindex_api_workers ')).toBe(WORKERS);
});

test(
  'after a kill of a worker the other serves, another takes its place, and nothing is charged that was not answered',
  async () => {
    const customer = await service.customer(CREDITS, {
      rate_limit: { per_second: 10_000, burst: 10_000 },
    });
    expect((await workers()).length).toBe(WORKERS);
    const traffic = Traffic.start(customer);
    await waitFor('calls are answered', () => traffic.served.length > 100);
    const [first = 0] = await workers();
    process.kill(first, 'SIGKILL');
    const before = traffic.served.length;
    await waitFor('the other worker serves', () => traffic.served.length > before + 50);
    expect((await ready()).status).toBe(200);
    await waitFor(
      'another takes its place',
      async () => {
        const { status, workers: left } = await ready();
        return status === 200 && left.detail === undefined;
      },
      START_MS,
    );
    await traffic.stop();
    await traffic.expectExact(service, CREDITS);
    expect(service.process.output).toContain('A worker of the API ended; another takes its place.');
  },
  START_MS,
);

/** With a processor that many others use. */
const HUNG_MS_MAX = 40_000;

async function allServe(): Promise<boolean> {
  const { status, workers: left } = await ready();
  return status === 200 && left.detail === undefined;
}

test(
  'a worker that hangs takes no new calls and is replaced, and nothing is charged that was not answered',
  async () => {
    const customer = await service.customer(CREDITS, {
      rate_limit: { per_second: 10_000, burst: 10_000 },
    });
    const traffic = Traffic.start(customer);
    await waitFor('calls are answered', () => traffic.served.length > 100);
    const [hung = 0] = await workers();
    process.kill(hung, 'SIGSTOP');
    const other = await service.customer(CREDITS);
    const answered = await Promise.all(Array.from({ length: 20 }, () => alone(other)));
    expect(new Set(answered)).toEqual(new Set([200]));
    expect((await workers()).includes(hung)).toBe(true);
    await waitFor('it ends', () => !existsSync(`/proc/${hung}`), HUNG_MS_MAX);
    await waitFor('another takes its place', allServe, START_MS);
    await traffic.stop();
    await traffic.expectExact(service, CREDITS);
    expect(service.process.output).toContain('A worker of the API hangs: it is killed.');
  },
  START_MS,
);

test(
  'a worker that stands still for a moment goes on, and what it was asked is answered',
  async () => {
    const customer = await service.customer(CREDITS);
    const before = await workers();
    for (const worker of before) process.kill(worker, 'SIGSTOP');
    const calls = Array.from({ length: 5 }, () => alone(customer));
    const isNoticed = async () => (await metric('popindex_api_workers ', service.adminUrl)) === 0;
    await waitFor('it is noticed', isNoticed);
    for (const worker of before) process.kill(worker, 'SIGCONT');
    expect(await Promise.all(calls)).toEqual([200, 200, 200, 200, 200]);
    expect(await workers()).toEqual(before);
  },
  START_MS,
);

test(
  'a stop answers the calls under way and ends all processes',
  async () => {
    const customer = await service.customer(CREDITS, {
      rate_limit: { per_second: 10_000, burst: 10_000 },
    });
    const traffic = Traffic.start(customer);
    await waitFor('calls are answered', () => traffic.served.length > 100);
    const ids = await workers();
    expect(await service.process.stop()).toBe(0);
    await traffic.stop();
    for (const id of ids) expect(existsSync(`/proc/${id}`)).toBe(false);
    await service.restart();
    await traffic.expectExact(service, CREDITS);
  },
  START_MS,
);

test(
  'workers end with a primary that is killed',
  async () => {
    const ids = await workers();
    await service.process.stop('SIGKILL');
    await waitFor('the workers end', () => ids.every((id) => !existsSync(`/proc/${id}`)));
    await service.restart();
    expect((await ready()).status).toBe(200);
  },
  START_MS,
);
