import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { cpuSeconds } from './cpu-time.js';
import { openCustomers } from './customers.js';
import { Load } from './load/load.js';
import type { Latencies } from './load/latencies.js';
import { openLoadScene } from './load/load-scene.js';
import { checkCharges } from './load/measured-load.js';
import { Neighbour, type NeighbourPlan } from './load/neighbour.js';
import { settled } from './load/settled.js';
import { ADMIN_TOKEN, startWhole, type AdministeredServer } from './servers.js';
import type { Stage } from './stage.js';
import { demoPaths } from './demo-paths.js';

/** Calls of the paying customers: steady, and far below what the service can answer. */
const CALLS_PER_SECOND = 200;
const CONNECTIONS = 16;
/** Accounts of neighbours: each may read ten lists at a time. */
const NEIGHBOURS = 6;
/** Calls that they have made before, so that their lists are long. */
const FILLING_SECONDS = 6;
/** Each may have ten streams. */
const LISTENERS = 100;
const P50_RATIO_MAX = 1.5;
const P99_RATIO_MAX = 3;

const NAMES: Readonly<Record<NeighbourPlan['kind'], string>> = {
  rotations: '400 rotations of a secret',
  quotes: '8 quotes of 1,000 URLs',
  csv: '60 slow readers of CSV',
  docs: '16 connections on /docs',
  keys: '8,000 invalid keys a second',
  streams: '1,000 event streams',
};

/** An operator of the admin REST: anything but a 2xx ends the benchmark. */
class Operator {
  constructor(private readonly url: string) {}

  async ask(path: string, body?: object, method = 'POST'): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.url}/admin/v1${path}`, {
      method: body === undefined ? 'GET' : method,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }

  async accounts(): Promise<string[]> {
    const { items } = (await this.ask('/accounts?limit=1000')) as { items: { id: string }[] };
    return items.map(({ id }) => id);
  }
}

/** Signs in once for each of so many accounts; answers where the portal is, and the cookies. */
async function signInAll(operator: Operator, count: number) {
  const cookies: string[] = [];
  let url = '';
  for (let index = 0; index < count; index += 1) {
    const { id } = await operator.ask('/accounts', { name: `Listener ${index + 1}` });
    const link = await operator.ask(`/accounts/${String(id)}/portal-sessions`, {});
    const { origin, hash } = new URL(String(link['url']));
    url = origin;
    const headers = { origin, 'x-requested-with': 'portal', 'content-type': 'application/json' };
    const body = JSON.stringify({ token: hash.replace('#token=', '') });
    const answer = await fetch(`${origin}/portal/v1/session`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`Signing in: ${answer.status} ${await answer.text()}`);
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    // A session that was seen is known; a new one could be taken for a guess beside many of them.
    await fetch(`${origin}/portal/v1/session`, { headers: { cookie } });
    cookies.push(cookie);
  }
  return { url, cookies };
}

/** Accounts with long lists of calls and the limits that every customer has. */
async function openNeighbours(
  stage: Stage,
  server: AdministeredServer,
  operator: Operator,
  paths: readonly string[],
): Promise<readonly string[]> {
  const before = new Set(await operator.accounts());
  const apiKeys = await openCustomers(server.adminUrl, ADMIN_TOKEN, NEIGHBOURS);
  const connections = NEIGHBOURS * 8;
  const load = Load.start(stage.shutdown, { apiKeys, paths, connections, repeatPercent: 90 });
  const { answers } = await load.fire({ url: server.url, seconds: FILLING_SECONDS });
  const ids = (await operator.accounts()).filter((id) => !before.has(id));
  for (const id of ids) await operator.ask(`/accounts/${id}`, { rate_limit: null }, 'PATCH');
  stage.report(`${ids.length} neighbours with ${answers} calls`);
  return apiKeys;
}

function addRatios(figures: Measurements, name: string, calm: Latencies, beside: Latencies) {
  figures.add(`beside ${name}, p50`, 'ms', beside.p50Ms);
  figures.add(`beside ${name}, p99`, 'ms', beside.p99Ms);
  figures.addHistogram(`beside ${name}, p99`, beside.histogram);
  const [p50, p99] = [beside.p50Ms / calm.p50Ms, beside.p99Ms / calm.p99Ms];
  figures.add(`beside ${name}, p50 of calm`, '×', p50, { atMost: P50_RATIO_MAX });
  figures.add(`beside ${name}, p99 of calm`, '×', p99, { atMost: P99_RATIO_MAX });
}

function cpuOf({ processes }: AdministeredServer): number {
  return processes.reduce((sum, { pid }) => sum + (cpuSeconds(pid) ?? 0), 0);
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const { rounds, seconds } = stage.options;
  const database = await stage.database();
  const server = await startWhole(stage, database, 'metered');
  const { site, load } = await openLoadScene(stage, server, database);
  const operator = new Operator(server.adminUrl);
  const { url } = server;
  const apiKeys = await openNeighbours(stage, server, operator, await demoPaths(site.pool, 1));
  const hook = { url: 'https://example.com/hooks', events: ['invoice.overdue'] };
  const webhookId = String((await operator.ask('/webhooks', hook))['id']);
  const portal = await signInAll(operator, LISTENERS);
  const plans: readonly NeighbourPlan[] = [
    { kind: 'rotations', adminUrl: server.adminUrl, webhookId },
    { kind: 'quotes', url, apiKeys },
    { kind: 'csv', url, apiKeys },
    { kind: 'docs', url },
    { kind: 'keys', url },
    { kind: 'streams', ...portal },
  ];
  const order = { url, seconds, callsPerSecond: CALLS_PER_SECOND, connections: CONNECTIONS };
  const fire = async (): Promise<Latencies> => {
    await settled(site.pool);
    const result = await load.fire(order);
    checkCharges(result);
    return result.latencies;
  };
  const figures = new Measurements();
  for (let round = 0; round <= rounds; round += 1) {
    const before = cpuOf(server);
    const calm = await fire();
    stage.report(`processor s, calm: service ${(cpuOf(server) - before).toFixed(2)}`);
    stage.report(`calm: ${calm.p50Ms.toFixed(2)} and ${calm.p99Ms.toFixed(2)} ms`);
    // The first round is for the compilers.
    if (round > 0) {
      figures.add('calm, p50', 'ms', calm.p50Ms);
      figures.add('calm, p99', 'ms', calm.p99Ms);
      figures.addHistogram('calm, p99', calm.histogram);
    }
    for (const plan of plans) {
      const neighbour = await Neighbour.start(stage.shutdown, plan);
      const before = cpuOf(server);
      const beside = await fire();
      const cpu = cpuOf(server) - before;
      const { answers, cpu: own } = await neighbour.stop();
      const name = NAMES[plan.kind];
      const [p50, p99] = [beside.p50Ms, beside.p99Ms].map((ms) => ms.toFixed(2));
      stage.report(`${name}: ${p50} and ${p99} ms; had ${JSON.stringify(answers)}`);
      stage.report(`processor s: service ${cpu.toFixed(2)}, neighbour ${own.toFixed(2)}`);
      if (round > 0) addRatios(figures, name, calm, beside);
    }
  }
  return figures.series();
}

export const neighboursBenchmark: Benchmark = {
  name: 'neighbours',
  about: `${CALLS_PER_SECOND} calls a second of customers, calm and beside others who ask for much`,
  run,
};
