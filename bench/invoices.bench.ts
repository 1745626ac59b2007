import path from 'node:path';
import type pg from 'pg';
import { Calendar } from '#calendar/calendar.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { writeDemoRelease } from '#popularity/demo/demo-release.js';
import { importRelease } from '#popularity/import-release.js';
import { BILLED_PLAN, nameSeller } from './billed-terms.js';
import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { cpuSeconds } from './cpu-time.js';
import { fillLog } from './fill/filled-log.js';
import type { FillPlan } from './fill/fill-plan.js';
import type { LoadResult } from './load/load.js';
import { openLoadScene, type LoadScene } from './load/load-scene.js';
import { checkCharges, recordLatencies } from './load/measured-load.js';
import { residentMemory } from './resident-memory.js';
import { ADMIN_TOKEN, startAccountingProcess, startWhole } from './servers.js';
import type { AdministeredServer } from './servers.js';
import type { BenchmarkDatabase, Stage } from './stage.js';
import { untilTrue } from './until-true.js';

const EVENTS = 5_000_000;
const CALLS_OF_ACCOUNT = 500;
const KEYS = 50;
const QUIET_ACCOUNTS = 1_000;
/** Of those, so many parts until the code is warm: one. */
const WARM_SHARE = 5;
/** Of the account with the one large invoice: of so many events one. */
const LARGE_SHARE = 5;
const LARGE_KEYS = 5_000;
const CALLS_PER_SECOND = 5_000;
/** Calls due in the last moment are answered after it. */
const SUSTAINED = 0.99;
const MEMORY_SAMPLE_MS = 250;
const LOAD_CONNECTIONS = 2;

/** The last whole month, which is closed and invoiced as soon as a service is started. */
function planOf(accounts: number, calls: number, keys: number): FillPlan {
  const zone = 'UTC';
  const calendar = new Calendar(zone);
  const { startsAt: to } = calendar.monthAt(Date.now());
  const { startsAt: from } = calendar.monthAt(to - 1);
  return { accounts, calls, keys, from, to, zone, terms: BILLED_PLAN };
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

/** Memory of the service in MB. */
function memoryOf({ processes }: Pick<AdministeredServer, 'processes'>): number {
  return processes.reduce((sum, { pid }) => sum + (residentMemory(pid)?.now ?? Number.NaN), 0);
}

/** The most memory of the service in MB while some work goes on, and what it had before. */
async function withMemory<Result>(
  { processes }: Pick<AdministeredServer, 'processes'>,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly before: number; readonly most: number }> {
  const now = () => memoryOf({ processes });
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

/** State at the end of a round of load. */
interface RoundEnd {
  readonly round: LoadResult;
  readonly issued: number;
  readonly megabytes: number;
}

/** Rounds follow each other at once, so that calls are offered all the time. */
async function loadUntilIssued(
  stage: Stage,
  { site: { server, pool }, load }: LoadScene,
  accounts: number,
): Promise<readonly RoundEnd[]> {
  const { seconds } = stage.options;
  const ends: RoundEnd[] = [];
  for (let issued = 0; issued < accounts;) {
    const order = { url: server.url, seconds, callsPerSecond: CALLS_PER_SECOND };
    const round = await load.fire(order);
    checkCharges(round);
    issued = await countIssued(pool);
    const megabytes = memoryOf(server);
    ends.push({ round, issued, megabytes });
    const figures = `${Math.round(round.perSecond)} calls/s, ${Math.round(megabytes)} MB`;
    stage.report(`${issued} of ${accounts} invoices, ${figures}`);
  }
  return ends;
}

/** Months of many accounts are invoiced while calls come in. */
async function measureRun(stage: Stage, figures: Measurements, plan: FillPlan): Promise<void> {
  const database = await stage.database();
  stage.report(`filling a month with ${plan.calls} calls of each of ${plan.accounts} accounts`);
  const filling = performance.now();
  await fillLog(database.url, plan);
  await loadDemoRelease(stage, database.url);
  stage.report(`filled in ${Math.round((performance.now() - filling) / 1000)} s`);
  const since = Date.now() / 1000;
  const server = await startWhole(stage, database, 'invoicing');
  await nameSeller(server.adminUrl);
  const scene = await openLoadScene(stage, server, database);
  const before = memoryOf(server);
  const ends = await loadUntilIssued(stage, scene, plan.accounts);
  const { issued, numbered } = await readMoments(scene.site.pool, since);
  figures.add('invoices issued', 'invoices', issued);
  figures.add('the run, from the start of the service', 's', numbered - since, { atMost: 60 });
  recordRounds(figures, ends);
  recordMemory(figures, before, ends, plan.accounts);
  await measureExports(figures, server, new Calendar(plan.zone).monthAt(plan.from).label);
}

function recordRounds(figures: Measurements, ends: readonly RoundEnd[]): void {
  const atLeast = SUSTAINED * CALLS_PER_SECOND;
  for (const { round } of ends) {
    figures.add('calls meanwhile', 'calls/s', round.perSecond, { atLeast });
    recordLatencies(figures, 'calls meanwhile', round);
    figures.add('calls meanwhile, refused', 'calls', round.faults, { atMost: 0 });
  }
}

/** A service that has just begun grows until its code is warm and its young generation is full. */
function recordMemory(
  figures: Measurements,
  before: number,
  ends: readonly RoundEnd[],
  accounts: number,
): void {
  const half = ends.find(({ issued }) => 2 * issued >= accounts)?.megabytes ?? Number.NaN;
  const end = ends.at(-1)?.megabytes ?? Number.NaN;
  figures.add('memory at the start', 'MB', before);
  figures.add('memory with half of them issued', 'MB', half);
  figures.add('memory with all of them issued', 'MB', end);
  figures.add('memory, what the second half added', 'MB', end - half, { atMost: 50 });
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

interface InvoiceCost {
  readonly invoices: number;
  /** Of the service and of the database. */
  readonly seconds: readonly number[];
}

/** Milliseconds of a processor for an invoice, of the service's and of the database's time. */
function costs(from: InvoiceCost, to: InvoiceCost): [service: number, postgres: number] {
  const [service = Number.NaN, postgres = Number.NaN] = to.seconds.map(
    (after, index) =>
      (1000 * (after - (from.seconds[index] ?? Number.NaN))) / (to.invoices - from.invoices),
  );
  return [service, postgres];
}

/** Measures the cost of an invoice on an idle service, from the moment that it is ready. */
async function measureProcessor(
  stage: Stage,
  figures: Measurements,
  plan: FillPlan,
): Promise<void> {
  const database = await stage.database();
  stage.report(`filling a month with ${plan.calls} calls of each of ${plan.accounts} accounts`);
  await fillLog(database.url, plan);
  const pool = stage.pool(database.url, LOAD_CONNECTIONS);
  const { process, adminUrl } = await startAccountingProcess(stage, database);
  await nameSeller(adminUrl);
  const spent = async (issued: number) => {
    await untilTrue(async () => (await countIssued(pool)) >= issued);
    const seconds = [process.pid, database.pid].map((pid) => cpuSeconds(pid) ?? Number.NaN);
    return { invoices: await countIssued(pool), seconds };
  };
  const [start, warm] = [await spent(0), await spent(plan.accounts / WARM_SHARE)];
  const end = await spent(plan.accounts);
  const [service, postgres] = costs(start, end);
  figures.add('processor, service', 'ms/invoice', service);
  figures.add('processor, database', 'ms/invoice', postgres);
  figures.add('processor, both', 'ms/invoice', service + postgres, { atMost: 8 });
  const [warmService, warmPostgres] = costs(warm, end);
  figures.add('processor, both, once warm', 'ms/invoice', warmService + warmPostgres);
  await process.stop();
}

/** One account made all the calls of a month. */
async function measureLarge(stage: Stage, figures: Measurements, calls: number): Promise<void> {
  const plan = planOf(1, calls, Math.min(LARGE_KEYS, calls));
  const database: BenchmarkDatabase = await stage.database();
  stage.report(`filling a month with ${calls} calls of one account`);
  await fillLog(database.url, plan);
  const since = Date.now() / 1000;
  const { process, adminUrl } = await startAccountingProcess(stage, database);
  await nameSeller(adminUrl);
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
  const quiet = Math.min(QUIET_ACCOUNTS, accounts);
  await measureProcessor(stage, figures, planOf(quiet, CALLS_OF_ACCOUNT, KEYS));
  await measureLarge(stage, figures, Math.max(1, Math.round(events / LARGE_SHARE)));
  return figures.series();
}

export const invoicesBenchmark: Benchmark = {
  name: 'invoices',
  about: '10,000 months invoiced beside 5,000 calls a second, one of a million calls, and exports',
  run,
};
