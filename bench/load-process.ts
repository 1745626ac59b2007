// Fires calls at a server from a process of its own, so that making them does not slow it down.
import autocannon, { type Client, type Request } from 'autocannon';
import { CallMix } from './call-mix.js';
import type { LoadOrder, LoadPlan, LoadResult } from './load.js';

/** More than any connection gets answered in a second. */
const CALLS_PER_SECOND_MAX = 150;

class Connection {
  made = 0;
  planned: number[] = [];

  constructor(
    readonly mix: CallMix,
    private readonly authorization: string,
    private readonly paths: readonly string[],
  ) {}

  plan(count: number): Request[] {
    this.made = 0;
    this.planned = this.mix.plan(count);
    const headers = { authorization: this.authorization };
    return this.planned.map((index) => ({ method: 'GET', path: this.paths[index], headers }));
  }

  /** How many of the answered calls asked for something new. */
  settle(): number {
    return this.mix.made(this.planned.slice(0, this.made));
  }
}

/** Those of one account share out the resources, so that each opens its own. */
function connections({ apiKeys, paths, connections: count, repeatPercent }: LoadPlan) {
  const accounts = apiKeys.length;
  return Array.from({ length: count }, (_, index) => {
    const first = Math.floor(index / accounts);
    const step = Math.ceil(count / accounts);
    const part = { caller: `connection ${index}`, first, step, end: paths.length };
    const mix = new CallMix(repeatPercent, part);
    return new Connection(mix, `Bearer ${apiKeys[index % accounts] ?? ''}`, paths);
  });
}

/** One round. Counts what was answered within the time; autocannon itself stops up to 1 s later. */
function fire(all: readonly Connection[], { url, seconds }: LoadOrder): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const byClient = new Map<Client, Connection>();
    const left = [...all];
    let [startedAt, inTime] = [0, 0];
    const setupClient = (client: Client): void => {
      const connection = left.pop();
      if (connection === undefined) throw new Error('There are more clients than connections.');
      byClient.set(client, connection);
      client.setRequests(connection.plan((seconds + 1) * CALLS_PER_SECOND_MAX));
    };
    const options = { url, duration: seconds, connections: all.length, setupClient };
    const run = autocannon(options, (error: Error | null, result) => {
      if (error) return reject(error);
      const fresh = all.reduce((sum, connection) => sum + connection.settle(), 0);
      const answers = result['2xx'];
      const { p50: p50Ms, p99: p99Ms } = result.latency;
      const faults = result.non2xx + result.errors + result.timeouts;
      resolve({ perSecond: inTime / seconds, answers, faults, fresh, p50Ms, p99Ms });
    });
    run.on('start', () => (startedAt = performance.now()));
    run.on('response', (client) => {
      const connection = byClient.get(client);
      if (connection !== undefined) connection.made += 1;
      if (performance.now() - startedAt <= seconds * 1000) inTime += 1;
    });
  });
}

let plan: LoadPlan | undefined;
/** By server: what one was asked is still new to the other. */
const byServer = new Map<string, readonly Connection[]>();

function of(url: string): readonly Connection[] {
  const known = byServer.get(url);
  if (known !== undefined) return known;
  if (plan === undefined) throw new Error('An order came before the plan.');
  const made = connections(plan);
  byServer.set(url, made);
  return made;
}

process.on('message', (message: LoadPlan | LoadOrder) => {
  if ('paths' in message) plan = message;
  else void fire(of(message.url), message).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit(0));
