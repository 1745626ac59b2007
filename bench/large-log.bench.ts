import { DECIDING_CONNECTIONS, startAccounting } from './accounting.js';
import { Callers } from './append-calls.js';
import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { Child } from './child.js';
import { filledAccountId } from './fill/filled-account.js';
import { fillLog } from './fill/filled-log.js';
import { commonPlan, type FillPlan } from './fill/fill-plan.js';
import type { BenchmarkDatabase, Stage } from './stage.js';
import { recordTimed, timed } from './timed.js';

const EVENTS = 20_000_000;
const CALLS = 50_000;
/**
 * Caches and memory settle, and pages of the index by account are split: filled whole, they have
 * room for some 18 calls of each account.
 */
const WARM_ROUNDS = 7;
const STARTED = { DEMO: 'false', API_PORT: '0', ACCOUNTING_PORT: '0', PORTAL_PORT: '0' };

async function fillLarge(stage: Stage, figures: Measurements, plan: FillPlan) {
  const database = await stage.database();
  const startedAt = performance.now();
  let reported = 0;
  const events = await fillLog(database.url, plan, (done) => {
    if (done - reported < EVENTS / 20) return;
    reported = done;
    stage.report(`${done} events filled in`);
  });
  figures.add('events in the log', 'events', events);
  figures.add('filled', 'events/s', (1000 * events) / (performance.now() - startedAt));
  figures.add('keys opened in the running window', 'keys', plan.accounts * plan.keys);
  return database;
}

/** `npm start` without npm, its database included, until it can serve. */
async function startOnce(stage: Stage, dataDir: string): Promise<number> {
  const startedAt = performance.now();
  const settings = { ...STARTED, DATA_DIR: dataDir };
  const service = Child.startService(stage.shutdown, 'apps/standalone/src/main.js', settings);
  await service.printed(/(Ready\.)/);
  const seconds = (performance.now() - startedAt) / 1000;
  await service.stop();
  return seconds;
}

async function measureStarts(stage: Stage, figures: Measurements, filled: BenchmarkDatabase) {
  await filled.stop();
  for (let round = 1; round <= stage.options.rounds; round += 1) {
    figures.add('start to ready', 's', await startOnce(stage, filled.dataDir), { atMost: 5 });
  }
  return stage.databaseIn(filled.dataDir);
}

/** As after a start, when all customers call at once. */
async function loadAll(figures: Measurements, callers: Callers): Promise<void> {
  const startedAt = performance.now();
  const slowest = await callers.callEach();
  const seconds = (performance.now() - startedAt) / 1000;
  figures.add(
    'accounts loaded by their first calls',
    'accounts/s',
    callers.accounts.length / seconds,
  );
  figures.add('slowest of these calls', 's', slowest);
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const figures = new Measurements();
  const plan = commonPlan(stage.options.events ?? EVENTS, Date.now());
  const filled = await fillLarge(stage, figures, plan);
  const large = await measureStarts(stage, figures, filled);
  const empty = await stage.database();
  const ids = Array.from({ length: plan.accounts }, (_, ordinal) => filledAccountId(ordinal));
  const onLarge = await startAccounting(stage, stage.pool(large.url, DECIDING_CONNECTIONS));
  const onEmpty = await startAccounting(stage, stage.pool(empty.url, DECIDING_CONNECTIONS));
  const old = new Callers(onLarge, ids, plan.keys);
  const fresh = await Callers.open(onEmpty, plan.accounts);
  await loadAll(figures, old);
  for (let round = 1; round <= WARM_ROUNDS + stage.options.rounds; round += 1) {
    const [oldCalls, freshCalls] = [old.plan(CALLS), fresh.plan(CALLS)];
    const a = await timed(CALLS, large.pid, () => old.call(oldCalls));
    const b = await timed(CALLS, empty.pid, () => fresh.call(freshCalls));
    stage.report(
      `${Math.round(a.perSecond)} decisions/s, ${Math.round(b.perSecond)} in an empty log`,
    );
    if (round <= WARM_ROUNDS) continue;
    figures.add('large / empty', 'ratio', a.perSecond / b.perSecond, { atLeast: 0.95 });
    recordTimed(figures, 'large', 'decision', a);
    recordTimed(figures, 'empty', 'decision', b);
  }
  return figures.series();
}

export const largeLogBenchmark: Benchmark = {
  name: 'large-log',
  about: 'start, and durable decisions, on a log of 20 million events beside an empty one',
  run,
};
