import { setTimeout as delay } from 'node:timers/promises';
import { Calendar } from '#calendar/calendar.js';
import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { openLoadScene } from './load/load-scene.js';
import { checkCharges, measureLoad, recordLoad } from './load/measured-load.js';
import { quantile } from './quantile.js';
import { residentMemory } from './resident-memory.js';
import { ADMIN_TOKEN, startWhole, type AdministeredServer } from './servers.js';
import type { Stage } from './stage.js';

const CALLS_PER_SECOND = 5_000;
/** Calls due in the last moment are answered after it. */
const SUSTAINED = 0.99;
const THRESHOLDS = Array.from({ length: 10 }, (_, index) => 10 * (index + 1));
const BUDGET_CREDITS = 200_000;
const MEMORY_SAMPLE_MS = 250;
/** Pauses between repeated requests: a large one each second, a list twenty times. */
const WORK_PAUSE_MS = 1_000;
const LIST_PAUSE_MS = 50;

/** An operator's session over the admin REST: anything but a 2xx ends the benchmark. */
class Operator {
  constructor(private readonly url: string) {}

  async ask(path: string, body?: object, accept = 'application/json'): Promise<Response> {
    const response = await fetch(`${this.url}/admin/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${ADMIN_TOKEN}`,
        accept,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }

  async items(path: string): Promise<readonly { readonly id: string }[]> {
    const answer = (await (await this.ask(path)).json()) as { items: { id: string }[] };
    return answer.items;
  }

  /** Reads an answer to its end without keeping it; answers its bytes. */
  async drain(path: string, accept: string): Promise<number> {
    let bytes = 0;
    for await (const piece of (await this.ask(path, undefined, accept)).body ?? []) {
      bytes += (piece as Uint8Array).byteLength;
    }
    return bytes;
  }
}

/** Works again and again until the signal; answers how often. */
async function again(
  signal: AbortSignal,
  pauseMs: number,
  work: () => Promise<unknown>,
): Promise<number> {
  let times = 0;
  while (!signal.aborted) {
    await work();
    times += 1;
    await delay(pauseMs);
  }
  return times;
}

/** Everything that operators and finance do beside the calls, all at once. */
async function workBeside(operator: Operator, ids: readonly string[], signal: AbortSignal) {
  const calendar = new Calendar('UTC');
  const { startsAt, endsAt } = calendar.monthAt(Date.now());
  const [from, to] = [startsAt, endsAt].map((at) => new Date(at).toISOString());
  const dearer = {
    from,
    to,
    call_cost: 12,
    rules: [{ name: 'all', match: {}, data_cost: { flat: 5 } }],
  };
  const [first = ''] = ids;
  const month = `from=${from}&to=${to}`;
  const lists = [
    '/accounts?limit=1000',
    '/webhooks',
    '/audit?limit=1000',
    '/projections',
    ...ids.flatMap((id) => [
      `/accounts/${id}`,
      `/accounts/${id}/calls?order=desc`,
      `/accounts/${id}/windows`,
      `/accounts/${id}/alerts`,
      `/accounts/${id}/usage?${month}&by=day,resource`,
    ]),
  ];
  let next = 0;
  const [previews, exports, listings] = await Promise.all([
    again(signal, WORK_PAUSE_MS, async () => {
      return (await operator.ask('/rate-cards/preview', dearer)).json();
    }),
    again(signal, WORK_PAUSE_MS, () => operator.drain(`/accounts/${first}/calls`, 'text/csv')),
    again(signal, LIST_PAUSE_MS, async () => {
      return (await operator.ask(lists[next++ % lists.length] ?? '')).json();
    }),
  ]);
  return { previews, exports, listings };
}

/** Samples of the server's resident memory in MB, until the signal. */
async function watchMemory({ processes }: AdministeredServer, signal: AbortSignal) {
  const samples: number[] = [];
  while (!signal.aborted) {
    const all = processes.map(({ pid }) => residentMemory(pid)?.now ?? Number.NaN);
    samples.push(all.reduce((sum, each) => sum + each, 0));
    await delay(MEMORY_SAMPLE_MS);
  }
  return samples;
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const { rounds, seconds } = stage.options;
  const database = await stage.database();
  const server = await startWhole(stage, database, 'metered');
  const { site, load } = await openLoadScene(stage, server, database);
  const operator = new Operator(server.adminUrl);
  const accounts = await operator.items('/accounts?limit=1000');
  const ids = accounts.map(({ id }) => id);
  const budget = { period: 'month', limit_credits: BUDGET_CREDITS, thresholds: THRESHOLDS };
  for (const id of ids)
    await operator.ask(`/accounts/${id}/budgets`, { ...budget, action: 'alert' });
  const callsPerSecond = CALLS_PER_SECOND;
  await measureLoad(site, load, { seconds, callsPerSecond });
  const ending = new AbortController();
  const beside = workBeside(operator, ids, ending.signal);
  const watching = watchMemory(server, ending.signal);
  const round = await measureLoad(site, load, { seconds: rounds * seconds, callsPerSecond });
  ending.abort();
  const [{ previews, exports, listings }, memory] = await Promise.all([beside, watching]);
  checkCharges(round);
  let alerts = 0;
  for (const id of ids)
    alerts += (await operator.items(`/accounts/${id}/alerts?limit=1000`)).length;
  const third = Math.floor(memory.length / 3);
  const middle = (part: readonly number[]): number => quantile(part, 0.5);
  const growth = middle(memory.slice(-third)) - middle(memory.slice(0, third));
  const figures = new Measurements();
  const atLeast = SUSTAINED * CALLS_PER_SECOND;
  figures.add('calls answered, none refused', 'calls/s', round.perSecond, { atLeast });
  figures.add('projections behind, p99', 'ms', round.lag.p99Ms, { atMost: 1_000 });
  figures.add('projections behind, at most', 'ms', round.lag.maxMs);
  figures.add('memory, last third above the first', 'MB', growth, { atMost: 64 });
  figures.add('memory, at most', 'MB', Math.max(...memory));
  figures.add('alerts emitted meanwhile', 'alerts', alerts, { atLeast: 1 });
  figures.add('previews of all accounts', 'times', previews, { atLeast: 1 });
  figures.add('exports of all calls of an account', 'times', exports, { atLeast: 1 });
  figures.add('lists read', 'times', listings, { atLeast: 1 });
  recordLoad(figures, 'calls', round);
  return figures.series();
}

export const busyBenchmark: Benchmark = {
  name: 'busy',
  about: `${CALLS_PER_SECOND} calls a second while budgets fire, cards are previewed and lists are read`,
  run,
};
