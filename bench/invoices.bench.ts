import path from 'node:path';
import type pg from 'pg';
import { Calendar } from '#calendar/calendar.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { writeDemoRelease } from '#popularity/demo-release.js';
import { importRelease } from '#popularity/import-release.js';
import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { cpuSeconds } from './cpu-time.js';
import { fillLog } from './fill/filled-log.js';
import type { FillPlan } from './fill/fill-plan.js';
import { openLoadScene } from './load/load-scene.js';
import { checkCharges, measureLoad, type MeasuredRound } from './load/measured-load.js';
import { residentMemory } from './resident-memory.js';
import { ADMIN_TOKEN, startAccountingProcess, startWhole } from './servers.js';
import type { AdministeredServer } from './servers.js';
import type { BenchmarkDatabase, Stage } from './stage.js';
import { untilTrue } from './until-true.js';

const EVENTS = 5_000_000;
const CALLS_OF_ACCOUNT = 500;
const KEYS = 50;
const QUIET_ACCOUNTS = 1_000;
/** Of the account with the one large invoice: of so many events one. */
const LARGE_SHARE = 5;
const LARGE_KEYS = 5_000;
const CALLS_PER_SECOND = 5_000;
/** What falls due in the last moment is answered after it. */
const SUSTAINED = 0.99;
const MEMORY_SAMPLE_MS = 250;
const LOAD_CONNECTIONS = 2;

/** The last whole month, which is closed and invoiced as soon as a service is started. */
function planOf(accounts: number, calls: number, keys: number): FillPlan {
  const zone = 'UTC';
  const calendar = new Calendar(zone);
  const { startsAt: to } = calendar.monthAt(Date.now());
  const { startsAt: from } = calendar.monthAt(to - 1);
  return { accounts, calls, keys, from, to, zone };
}

/** Data to be called for, before anything is started that would invoice meanwhile. */
async function loadDemoRelease(stage: Stage, url: string): Promise<void> {
  const pool = stage.pool(url, LOAD_CONNECTIONS);
  const folder = path.join(await stage.folder(), 'release');
  const windows = new Calendar('UTC');
  await writeDemoRelease(folder, `${windows.monthAt(Date.now()).label}-01`);
  const stream = new SystemStream(new PostgresEventLog(pool));
  const dependencies = { pool, stream, windows, clock: { now: () => Date.now() } };
  const result = await importRelease(dependencies, folder);
  if (result.outcome !== 'published') throw new Error(`Demo data: ${JSON.stringify(result)}`);
}

interface Moments {
  readonly issued: number;
  /** Seconds since 1970: the first close that was written in real time, the last number. */
  readonly closed: number;
  readonly numbered: number;
}

/** How many invoices have a number: cheap, because it is asked all the time. */
async function countIssued(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ issued: number }>(
    `select count(*) as issued from event where lane = 0 and type = 'InvoiceNumbered'`,
  );
  return rows[0]?.issued ?? 0;
}

/** When it was written, as the database's own clock has it. */
async function readMoments(pool: pg.Pool, since: number): Promise<Moments> {
  const { rows } = await pool.query<Moments>(
    `select (select count(*)::int8 from event where lane = 0 and type = 'InvoiceNumbered') as issued,
            (select extract(epoch from min(b.committed_at))::float8 from batch b
              where b.lane > 0 and b.committed_at > to_timestamp($1)) as closed,
            (select extract(epoch from max(b.committed_at))::float8 from batch b
              where b.lane = 0 and b.last_position >= (
                select max(position) from event where lane = 0 and type = 'InvoiceNumbered'))
              as numbered`,
    [since],
  );
  const [moments] = rows;
  if (moments === undefined) throw new Error('The database said nothing.');
  return moments;
}

/** The most memory of the service in MB while some work goes on, and what it had before. */
async function withMemory<Result>(
  { processes }: Pick<AdministeredServer, 'processes'>,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly before: number; readonly most: number }> {
  const now = () =>
    processes.reduce((sum, { pid }) => sum + (residentMemory(pid)?.now ?? Number.NaN), 0);
  const before = now();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, now())), MEMORY_SAMPLE_MS);
  try {
    const result = await work();
    return { result, before, most: Math.max(most, now()) };
  } finally {
    clearInterval(timer);
  }
}

/** Reads an export to its end without keeping it; answers its bytes. */
async function drain(adminUrl: string, route: string): Promise<number> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const response = await fetch(`${adminUrl}/admin/v1/exports/${route}`, { headers });
  if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`);
  let bytes = 0;
  for await (const piece of response.body ?? []) bytes += (piece as Uint8Array).byteLength;
  return bytes;
}

/** Months of many accounts are invoiced while calls come in. */
async function measureRun(stage: Stage, figures: Measurements, plan: FillPlan): Promise<void> {
  const { seconds } = stage.options;
  const database = await stage.database();
  stage.tell(`filling a month with ${plan.calls} calls of each of ${plan.accounts} accounts`);
  await fillLog(database.url, plan);
  await loadDemoRelease(stage, database.url);
  const since = Date.now() / 1000;
  const server = await startWhole(stage, database, 'invoicing');
  const { site, load } = await openLoadScene(stage, server, database);
  const rounds: MeasuredRound[] = [];
  const { before, most } = await withMemory(server, async () => {
    for (let issued = 0; issued < plan.accounts;) {
      const round = await measureLoad(site, load, { seconds, callsPerSecond: CALLS_PER_SECOND });
      checkCharges(round);
      rounds.push(round);
      issued = await countIssued(site.pool);
      stage.tell(`${issued} of ${plan.accounts} invoices, ${Math.round(round.perSecond)} calls/s`);
    }
  });
  const { issued, numbered } = await readMoments(site.pool, since);
  figures.add('invoices issued', 'invoices', issued);
  figures.add('the run, from the start of the service', 's', numbered - since, { atMost: 120 });
  const perSecond = rounds.map((round) => round.perSecond);
  const atLeast = SUSTAINED * CALLS_PER_SECOND;
  for (const rate of perSecond)
    figures.add('calls meanwhile, none refused', 'calls/s', rate, { atLeast });
  for (const { p99Ms } of rounds) figures.add('calls meanwhile, 99 % within', 'ms', p99Ms);
  figures.add('memory on top of what it had', 'MB', most - before);
  await measureExports(figures, server, new Calendar(plan.zone).monthAt(plan.from).label);
}

async function measureExports(
  figures: Measurements,
  server: AdministeredServer,
  month: string,
): Promise<void> {
  const routes = ['csv', 'jsonl', 'zip', 'journal'].map((format) => ({
    name: `export as ${format}`,
    route: `invoices?month=${month}&format=${format}`,
  }));
  routes.push({ name: 'credit liability', route: `credit-liability?month=${month}` });
  for (const { name, route } of routes) {
    const startedAt = performance.now();
    const { result, before, most } = await withMemory(server, () => drain(server.adminUrl, route));
    figures.add(name, 's', (performance.now() - startedAt) / 1000);
    figures.add(`${name}, size`, 'kB', result / 1000);
    figures.add(`${name}, memory on top`, 'MB', most - before);
  }
}

/** What an invoice costs where nothing else goes on, from the moment that the service is ready. */
async function measureProcessor(stage: Stage, figures: Measurements): Promise<void> {
  const plan = planOf(QUIET_ACCOUNTS, CALLS_OF_ACCOUNT, KEYS);
  const database = await stage.database();
  stage.tell(`filling a month with ${plan.calls} calls of each of ${plan.accounts} accounts`);
  await fillLog(database.url, plan);
  const pool = stage.pool(database.url, LOAD_CONNECTIONS);
  const { process } = await startAccountingProcess(stage, database);
  const seconds = () => [process.pid, database.pid].map((pid) => cpuSeconds(pid) ?? Number.NaN);
  const before = seconds();
  await untilTrue(async () => (await countIssued(pool)) === plan.accounts);
  const [service = Number.NaN, postgres = Number.NaN] = seconds().map(
    (after, index) => (1000 * (after - (before[index] ?? Number.NaN))) / plan.accounts,
  );
  figures.add('processor, service', 'ms/invoice', service);
  figures.add('processor, database', 'ms/invoice', postgres);
  figures.add('processor, both', 'ms/invoice', service + postgres, { atMost: 8 });
  await process.stop();
}

/** One account made all the calls of a month. */
async function measureLarge(stage: Stage, figures: Measurements, calls: number): Promise<void> {
  const plan = planOf(1, calls, Math.min(LARGE_KEYS, calls));
  const database: BenchmarkDatabase = await stage.database();
  stage.tell(`filling a month with ${calls} calls of one account`);
  await fillLog(database.url, plan);
  const since = Date.now() / 1000;
  const { process } = await startAccountingProcess(stage, database);
  const pool = stage.pool(database.url, LOAD_CONNECTIONS);
  await untilTrue(async () => (await countIssued(pool)) === 1);
  const { closed, numbered } = await readMoments(pool, since);
  figures.add(`invoice of ${calls} calls, from the close`, 's', numbered - closed, { atMost: 5 });
  await process.stop();
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const events = stage.options.events ?? EVENTS;
  const figures = new Measurements();
  const accounts = Math.max(1, Math.round(events / CALLS_OF_ACCOUNT));
  await measureRun(stage, figures, planOf(accounts, CALLS_OF_ACCOUNT, KEYS));
  await measureProcessor(stage, figures);
  await measureLarge(stage, figures, Math.max(1, Math.round(events / LARGE_SHARE)));
  return figures.series();
}

export const invoicesBenchmark: Benchmark = {
  name: 'invoices',
  about: '10,000 months invoiced beside 5,000 calls a second, one of a million calls, and exports',
  run,
};
