import { Agent, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Calendar } from '#calendar/calendar.js';
import { Random } from '#popularity/demo/random.js';
import { Measurements, type Benchmark, type Goal, type Series } from './benchmark.js';
import { cpuSeconds } from './cpu-time.js';
import { filledAccountId } from './fill/filled-account.js';
import { fillLog } from './fill/filled-log.js';
import type { FillPlan } from './fill/fill-plan.js';
import { quantile } from './quantile.js';
import { residentMemory } from './resident-memory.js';
import { ADMIN_TOKEN, startAccountingProcess } from './servers.js';
import type { Stage } from './stage.js';

const CALLS = 1_000_000;
const KEYS = 5_000;
const READS = 500;
const PAST_READS = 10;
const MEMORY_EVERY_ROWS = 50_000;

/** The last whole month, with all calls by one account. */
function planOf(calls: number): FillPlan {
  const zone = 'UTC';
  const calendar = new Calendar(zone);
  const { startsAt: to } = calendar.monthAt(Date.now());
  const { startsAt: from } = calendar.monthAt(to - 1);
  return { accounts: 1, calls, keys: KEYS, from, to, zone };
}

/** The account of the plan, as operators read it: without a limit of rate. */
class Reader {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #base: string;

  constructor(adminUrl: string) {
    this.#base = `${adminUrl}/admin/v1/accounts/${filledAccountId(0)}`;
  }

  /** Milliseconds until the whole answer is there. Throws unless it is a 200. */
  async time(path: string): Promise<number> {
    const startedAt = performance.now();
    for await (const _ of await this.#ask(path, 'application/json'));
    return performance.now() - startedAt;
  }

  /** Reads a CSV to its end; answers how many rows it has, the header line left out. */
  async rows(path: string, onRows: (rows: number) => void): Promise<number> {
    let lines = 0;
    for await (const piece of await this.#ask(path, 'text/csv')) {
      for (const byte of piece as Buffer) if (byte === END_OF_LINE) lines += 1;
      onRows(lines);
    }
    return lines - 1;
  }

  /** The CSV itself. */
  async pieces(path: string): Promise<Buffer[]> {
    return (await (await this.#ask(path, 'text/csv')).toArray()) as Buffer[];
  }

  /** Sends a log, and reads how it agrees with the calls. */
  async reconcile(log: readonly Buffer[]): Promise<{ rows: number; matched: number }> {
    const path = '/reconciliations';
    const answer = await this.#ask(path, 'application/json', log);
    return JSON.parse((await answer.toArray()).join('')) as { rows: number; matched: number };
  }

  close(): void {
    this.#agent.destroy();
  }

  async #ask(path: string, accept: string, log?: readonly Buffer[]): Promise<IncomingMessage> {
    const headers = {
      authorization: `Bearer ${ADMIN_TOKEN}`,
      accept,
      ...(log && { 'content-type': 'text/csv' }),
    };
    const method = log === undefined ? 'GET' : 'POST';
    const asked = request(`${this.#base}${path}`, { agent: this.#agent, headers, method });
    Readable.from(log ?? []).pipe(asked);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    if (answer.statusCode === (log === undefined ? 200 : 201)) return answer;
    throw new Error(`${path}: ${answer.statusCode} ${(await answer.toArray()).join('')}`);
  }
}

const END_OF_LINE = 10;

/** Reads that are timed one after the other, with the processor time of service and database. */
class Timing {
  constructor(
    private readonly figures: Measurements,
    private readonly reader: Reader,
    private readonly pids: Pids,
  ) {}

  /**
   * Adds the quantile (0 to 1) of the times of so many reads, in ms, after as many that warm up.
   */
  async add(
    name: string,
    reads: number,
    part: number,
    path: () => string,
    goal?: Goal,
  ): Promise<void> {
    for (let warm = 0; warm < reads; warm += 1) await this.reader.time(path());
    const before = processorSeconds(this.pids);
    const all: number[] = [];
    for (let read = 0; read < reads; read += 1) all.push(await this.reader.time(path()));
    const seconds = processorSeconds(this.pids) - before;
    this.figures.add(name, 'ms', quantile(all, part), goal);
    this.figures.add(`${name}, processor`, 'ms/read', (1_000 * seconds) / reads);
  }
}

/** Of the service and of the database. */
type Pids = readonly [service: number, database: number];

function processorSeconds(pids: Pids): number {
  return pids.reduce((sum, pid) => sum + (cpuSeconds(pid) ?? Number.NaN), 0);
}

async function measureReads(timing: Timing, plan: FillPlan): Promise<void> {
  const [from, to] = [plan.from, plan.to].map((at) => new Date(at).toISOString());
  const window = new Calendar(plan.zone).windowAt((plan.from + plan.to) / 2).label;
  const p95 = (name: string, path: string, goalMs: number): Promise<void> =>
    timing.add(`${name}, p95`, READS, 0.95, () => path, { atMost: goalMs });
  await p95('a month by day and resource', `/usage?from=${from}&to=${to}&by=day,resource`, 50);
  await p95('balance', '', 10);
  await p95('windows', `/windows?window=${window}`, 50);
  await p95('newest calls', '/calls?order=desc', 10);
}

async function measurePast(timing: Timing, plan: FillPlan): Promise<void> {
  const random = new Random('moments');
  const moment = (): string => new Date(random.between(plan.from + 1, plan.to - 1)).toISOString();
  const slowest = (name: string, path: () => string): Promise<void> =>
    timing.add(`${name} as of a moment, slowest`, PAST_READS, 1, path, { atMost: 2_000 });
  await slowest('balance', () => `?as_of=${moment()}`);
  await slowest('windows', () => `/windows?as_of=${moment()}`);
  await slowest('usage by day', () => `/usage?by=day&as_of=${moment()}`);
  await timing.add('usage by key of all calls, slowest', 2, 1, () => '/usage?by=key');
}

async function measureCsv(
  figures: Measurements,
  reader: Reader,
  pids: Pids,
  { calls }: FillPlan,
): Promise<void> {
  const [pid] = pids;
  const before = residentMemory(pid)?.now ?? Number.NaN;
  let most = before;
  let reportedAt = 0;
  const startedAt = performance.now();
  const processorBefore = processorSeconds(pids);
  const rows = await reader.rows('/calls', (sofar) => {
    if (sofar - reportedAt < MEMORY_EVERY_ROWS) return;
    reportedAt = sofar;
    most = Math.max(most, residentMemory(pid)?.now ?? Number.NaN);
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const processor = processorSeconds(pids) - processorBefore;
  if (rows !== calls) throw new Error(`The CSV holds ${rows} of ${calls} calls.`);
  figures.add('calls as CSV', 'rows/s', rows / seconds, { atLeast: 50_000 });
  figures.add('calls as CSV, processor', 'µs/row', (1_000_000 * processor) / rows);
  figures.add('calls as CSV, memory on top', 'MB', most - before);
}

/** Costs and usage of the month as FOCUS, tags read from each call. */
async function measureFocus(
  figures: Measurements,
  reader: Reader,
  pids: Pids,
  { from, calls }: FillPlan,
): Promise<void> {
  const month = new Date(from).toISOString().slice(0, 'yyyy-mm'.length);
  const [startedAt, processorBefore] = [performance.now(), processorSeconds(pids)];
  const rows = await reader.rows(`/exports/focus?month=${month}`, () => undefined);
  const seconds = (performance.now() - startedAt) / 1000;
  const processor = processorSeconds(pids) - processorBefore;
  if (rows === 0) throw new Error('The export has no rows.');
  figures.add('the month as FOCUS', 's', seconds, { atMost: 20 });
  figures.add('the month as FOCUS, processor', 'µs/call', (1_000_000 * processor) / calls);
}

/** The calls themselves are the log: each row is matched. */
async function measureReconciliation(
  figures: Measurements,
  reader: Reader,
  pids: Pids,
  { calls }: FillPlan,
): Promise<void> {
  const log = await reader.pieces('/calls');
  const [startedAt, processorBefore] = [performance.now(), processorSeconds(pids)];
  const { rows, matched } = await reader.reconcile(log);
  const seconds = (performance.now() - startedAt) / 1000;
  const processor = processorSeconds(pids) - processorBefore;
  if (matched !== calls) throw new Error(`Of ${rows} rows ${matched} agree with ${calls} calls.`);
  const goal = { atLeast: 100_000 };
  figures.add('a log reconciled with its calls', 'rows/s', calls / seconds, goal);
  figures.add('a log reconciled, processor', 'µs/row', (1_000_000 * processor) / calls);
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const plan = planOf(stage.options.events ?? CALLS);
  const database = await stage.database();
  stage.report(`filling a month with ${plan.calls} calls of one account`);
  await fillLog(database.url, plan);
  const { process, adminUrl } = await startAccountingProcess(stage, database);
  const reader = new Reader(adminUrl);
  const figures = new Measurements();
  const pids = [process.pid, database.pid] as const;
  const timing = new Timing(figures, reader, pids);
  for (let round = 1; round <= stage.options.rounds; round += 1) {
    stage.report(`round ${round}`);
    await measureReads(timing, plan);
    await measurePast(timing, plan);
    await measureCsv(figures, reader, pids, plan);
    await measureFocus(figures, reader, pids, plan);
    await measureReconciliation(figures, reader, pids, plan);
  }
  reader.close();
  return figures.series();
}

export const readsBenchmark: Benchmark = {
  name: 'reads',
  about: 'reads of an account with a million calls in a month, now and as of the past, and its CSV',
  run,
};
