import type pg from 'pg';
import { Calendar } from '#calendar/calendar.js';
import type { EventLog } from '#event-log/event-log.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { AccountLoader } from '#ledger/account-loader.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import { Accounting, DEFAULT_LIMITS } from '../apps/accounting/src/charging/accounting.js';
import { Callers } from './append-calls.js';
import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { cpuSeconds } from './cpu-time.js';
import { createRawTable, insertRaw } from './raw-insert.js';
import type { Stage } from './stage.js';
import { writtenBatches } from './written-batches.js';

const ACCOUNTS = 10_000;
const REPEAT_PERCENT = 90;
const CALLS = 50_000;
/** Enough that both writers find full batches. */
const AT_ONCE = 2 * DEFAULT_LIMITS.writers * DEFAULT_LIMITS.batchMax;
const CONNECTIONS = DEFAULT_LIMITS.writers;
const MICROSECONDS = 1_000_000;

interface Timed {
  readonly perSecond: number;
  readonly ownCpu: number;
  readonly databaseCpu: number | undefined;
}

/** Processor times are in microseconds for each decision. */
async function timed(decisions: number, databasePid: number, work: () => Promise<void>) {
  const cpu = process.cpuUsage();
  const database = cpuSeconds(databasePid);
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const databaseAfter = cpuSeconds(databasePid);
  const result: Timed = {
    perSecond: decisions / seconds,
    ownCpu: (user + system) / decisions,
    databaseCpu:
      database === undefined || databaseAfter === undefined
        ? undefined
        : (MICROSECONDS * (databaseAfter - database)) / decisions,
  };
  return result;
}

function record(figures: Measurements, name: string, { perSecond, ownCpu, databaseCpu }: Timed) {
  figures.add(name, 'rows/s', perSecond);
  figures.add(`${name}, processor, own`, 'µs/row', ownCpu);
  if (databaseCpu !== undefined) {
    figures.add(`${name}, processor, database`, 'µs/row', databaseCpu);
  }
}

function startAccounting(stage: Stage, log: EventLog, pool: pg.Pool, calendar: Calendar) {
  const terms = { calendar, cards: [RATE_CARD_1] };
  const accounting = new Accounting({
    log,
    loader: new AccountLoader(pool),
    clock: { now: () => Date.now() },
    terms: () => terms,
    events: {
      onFault: (error) => stage.tell(`a fault: ${String(error)}`),
      onUnsettled: ({ callId }) => stage.tell(`the fate of call ${callId} is unknown`),
    },
  });
  stage.shutdown.stop('the accounting', () => accounting.stop());
  return accounting;
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const { url, pid } = await stage.database();
  const pool = stage.pool(url, CONNECTIONS);
  await createRawTable(pool);
  const log = new PostgresEventLog(pool);
  const calendar = new Calendar('UTC');
  const accounting = startAccounting(stage, log, pool, calendar);
  const callers = new Callers(accounting, calendar.windowAt(Date.now()).label, ACCOUNTS);
  stage.tell(`opening ${ACCOUNTS} accounts`);
  await callers.open(AT_ONCE);
  const figures = new Measurements();
  for (let round = 0; round <= stage.options.rounds; round += 1) {
    const before = await log.ends();
    const decided = await timed(CALLS, pid, () => callers.call(CALLS, AT_ONCE, REPEAT_PERCENT));
    const batches = await writtenBatches(pool, before);
    const raw = await timed(CALLS, pid, () => insertRaw(pool, batches, CONNECTIONS));
    stage.tell(`${Math.round(decided.perSecond)} decisions/s, ${Math.round(raw.perSecond)} raw`);
    // The first round is for the compilers.
    if (round === 0) continue;
    figures.add('decisions / raw rows', 'ratio', decided.perSecond / raw.perSecond);
    record(figures, 'decisions', decided);
    record(figures, 'raw rows', raw);
    figures.add('rows of a transaction', 'rows', CALLS / batches.length);
  }
  return figures.series();
}

export const appendBenchmark: Benchmark = {
  name: 'append',
  about: `durable decisions for ${ACCOUNTS} accounts beside plain inserts of the same rows`,
  run,
};
